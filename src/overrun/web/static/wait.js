// Where exact odds are still being worked out: ask how far they are, and put the answer in its place.
import { load, put, say } from "./swap.js";
import { enhance } from "./app.js";

const FIRST = 250;
const EVERY = 700;

export function waiting(root) {
  for (const box of root.querySelectorAll("[data-job]")) wait(box);
}

function wait(box) {
  const started = Date.now();
  const look = async () => {
    if (!box.isConnected) return;
    try {
      const response = await fetch(`/api/v1/jobs/${encodeURIComponent(box.dataset.job)}`);
      const job = await response.json();
      if (job.stands === "waiting" || job.stands === "running") {
        if (job.slow) {
          box.parentElement.querySelector("[data-offers]")?.removeAttribute("hidden");
          if (box.dataset.slow === "load") {
            delete box.dataset.slow;
            const next = await load(location.href);
            if (!box.isConnected) return;
            return show(box, next);
          }
        }
        box.querySelector("[data-job-words]").textContent = `${job.words}, ${Math.round((Date.now() - started) / 1000)} s`;
        setTimeout(look, EVERY);
        return;
      }
      const next = await load(location.href);
      if (!box.isConnected) return;
      show(box, next);
    } catch {
      setTimeout(look, 3 * EVERY);
    }
  };
  setTimeout(look, FIRST);
}

function show(box, next) {
  if (box.closest("[data-live]")) merge(next.page);
  else put(next, enhance);
}

// Only what the answer changes is exchanged, so that chosen dice and the place on the page stay.
function merge(page) {
  for (const fresh of page.querySelectorAll("[data-live]")) {
    const old = document.getElementById(fresh.id);
    if (!old) continue;
    const focused = old.contains(document.activeElement) ? document.activeElement.value : null;
    const node = document.importNode(fresh, true);
    old.replaceWith(node);
    if (focused) node.querySelector(`[value="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    enhance(node);
  }
  say(page.querySelector("[data-there]")?.dataset.there ?? "The exact odds are there.");
}
