// The main button says what the chosen dice come to, as soon as all are chosen.

export function dice(root) {
  for (const form of root.querySelectorAll("form[data-dice]")) {
    const button = form.querySelector("[data-use]");
    const sets = [...form.querySelectorAll(".die")];
    if (!button || !sets.length) continue;
    const tell = () => {
      const faces = sets.map((set) => Number(set.querySelector("input:checked")?.value ?? 0));
      if (faces.includes(0)) {
        button.textContent = "Use these dice";
        return;
      }
      const sum = faces.length > 1 ? ` = ${faces.reduce((a, b) => a + b, 0)}` : "";
      button.textContent = `Use ${faces.join(" + ")}${sum}`;
    };
    form.addEventListener("change", tell);
    tell();
  }
}
