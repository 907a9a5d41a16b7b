// Forms marked data-swap are sent in the background; the main part of the answer takes the place of the old one.

let busy = false;
let next = "";

export async function load(address, options = {}) {
  const response = await fetch(address, { headers: { Accept: "text/html" }, ...options });
  const text = await response.text();
  return { page: new DOMParser().parseFromString(text, "text/html"), address: response.url };
}

export function say(words) {
  const status = document.getElementById("status");
  if (status && words) status.textContent = words;
}

export function put(fresh, enhance) {
  const main = document.importNode(fresh.page.querySelector("main"), true);
  document.querySelector("main").replaceWith(main);
  document.title = fresh.page.title;
  enhance(main);
  say(fresh.page.getElementById("status")?.textContent);
  return main;
}

function replaced(answer, enhance) {
  if (answer.address !== location.href) history.pushState(null, "", answer.address);
  const fresh = put(answer, enhance);
  const target = fresh.querySelector("[role=alert]") ? fresh : fresh.querySelector("[data-focus]");
  target?.focus({ preventScroll: true });
  const step = fresh.querySelector("[role=alert]") ?? fresh.querySelector("#step");
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (step && step.getBoundingClientRect().top < 0) step.scrollIntoView({ behavior: still ? "auto" : "smooth" });
}

export function swapping(enhance) {
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.matches("form[data-swap]") || event.defaultPrevented) return;
    if (event.submitter?.hasAttribute("data-plain")) return;
    event.preventDefault();
    if (busy) {
      // A second press on an option is one too many; one on another button of the editor waits for its turn.
      if (form.matches("[data-editor]")) next = event.submitter?.value ?? "";
      return;
    }
    busy = true;
    form.setAttribute("aria-busy", "true");
    if (event.submitter?.matches(".option")) event.submitter.setAttribute("aria-pressed", "true");
    const fields = new URLSearchParams(new FormData(form));
    if (event.submitter?.name) fields.set(event.submitter.name, event.submitter.value);
    try {
      replaced(await load(form.action, { method: "POST", body: fields }), enhance);
    } catch {
      form.removeAttribute("aria-busy");
      say("The app does not answer. Nothing was lost; try again.");
    } finally {
      busy = false;
      const waiting = next && document.querySelector(`form[data-editor] button[value="${CSS.escape(next)}"]`);
      next = "";
      if (waiting) waiting.click();
    }
  });
  addEventListener("popstate", () => location.reload());
}
