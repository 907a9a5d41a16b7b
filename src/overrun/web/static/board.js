export function board() {}
