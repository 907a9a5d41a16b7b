// Buttons that copy the text of a field. Without scripts the field itself can be selected.
import { say } from "./swap.js";

export function copying(root) {
  for (const button of root.querySelectorAll("button[data-copy]")) {
    const field = document.getElementById(button.dataset.copy);
    if (!field) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(field.value);
      } catch {
        field.select();
        document.execCommand("copy");
      }
      const before = button.textContent;
      button.textContent = "Copied";
      say("Copied.");
      setTimeout(() => { button.textContent = before; }, 2000);
    });
  }
}
