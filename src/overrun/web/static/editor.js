// The situation is checked while it is filled in: problems, drawing and file follow; what is being typed stays.
import { load, say } from "./swap.js";

const PAUSE = 350;

export function editor(root) {
  const form = root.querySelector("form[data-editor]");
  if (!form) return;
  let timer = 0;
  let latest = 0;
  const check = async () => {
    const mine = ++latest;
    const fields = new URLSearchParams(new FormData(form));
    fields.set("press", "check");
    try {
      const { page } = await load(form.action, { method: "POST", body: fields });
      if (mine !== latest || !form.isConnected) return;
      for (const fresh of page.querySelectorAll("[data-live]")) {
        const old = document.getElementById(fresh.id);
        // While something is wrong there is nothing to draw: the last drawing stays, so that it can be clicked on.
        if (old?.id === "drawing" && !fresh.querySelector("svg")) continue;
        if (old && !old.contains(document.activeElement) && !old.isEqualNode(fresh)) {
          old.replaceWith(document.importNode(fresh, true));
        }
      }
      for (const control of page.querySelectorAll("form[data-editor] [aria-describedby]")) {
        const here = control.id && document.getElementById(control.id);
        if (!here) continue;
        if (control.getAttribute("aria-invalid")) {
          here.setAttribute("aria-invalid", "true");
          here.closest("details")?.setAttribute("open", "");
        } else here.removeAttribute("aria-invalid");
      }
      const [go, then] = [document.getElementById("go"), page.getElementById("go")];
      for (const name of ["aria-disabled", "aria-describedby"]) {
        if (then?.hasAttribute(name)) go.setAttribute(name, then.getAttribute(name));
        else go.removeAttribute(name);
      }
      const words = page.getElementById("status")?.textContent;
      if (document.getElementById("status")?.textContent !== words) say(words);
      form.dispatchEvent(new CustomEvent("checked"));
    } catch {
      say("The app does not answer; what you filled in is still here.");
    }
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(check, PAUSE);
  };
  form.addEventListener("input", soon);
  form.addEventListener("change", soon);
}
