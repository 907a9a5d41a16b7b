export function editor() {}
