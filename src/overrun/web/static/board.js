// A click on a place of a drawing fills in the field that the place belongs to: a hex goes on the path, or off its end;
// a choice goes on to its next option.
// A piece that can be moved is dragged; its fields say the same in figures, for the keyboard.
import { load, say } from "./swap.js";

export function board(root) {
  const form = root.querySelector?.("form[data-editor]");
  if (form && !form.dataset.board) {
    form.dataset.board = "on";
    form.addEventListener("click", (event) => place(form, event));
    form.addEventListener("pointerdown", (event) => grab(form, event));
  }
  for (const details of root.querySelectorAll?.("details[data-flow]") ?? []) {
    details.addEventListener("toggle", async () => {
      const link = details.querySelector("a");
      if (!details.open || !link) return;
      const { page } = await load(link.href);
      const drawing = page.querySelector(".flowchart");
      if (!drawing) return;
      link.parentElement.replaceWith(document.importNode(drawing, true));
      details.querySelector(".here")?.scrollIntoView({ block: "center", inline: "center" });
    });
  }
}

function control(form, field) {
  return form.elements.namedItem(`f.${field}`);
}

function told(input, words) {
  input.dispatchEvent(new Event("input", { bubbles: true }));
  say(words);
}

function place(form, event) {
  const spot = event.target.closest("[data-field]");
  const input = spot && control(form, spot.dataset.field);
  if (!input) return;
  if (input instanceof HTMLSelectElement) {
    input.selectedIndex = (input.selectedIndex + 1) % input.options.length;
    told(input, `${input.selectedOptions[0].textContent}.`);
    return;
  }
  const listed = input.value.split(",").map((each) => each.trim()).filter(Boolean);
  const value = spot.dataset.value;
  const off = listed.at(-1) === value;
  if (off) listed.pop();
  else listed.push(value);
  input.value = listed.join(", ");
  told(input, `${value} ${off ? "taken off" : "added"}.`);
}

// Drawings that can be dragged on say how many units of the drawing one inch is (data-scale), and which fields a piece
// moves (data-move: a field of two numbers) and turns (data-turn: degrees). The table counts upwards.
function grab(form, event) {
  const piece = event.target.closest("[data-move]");
  const svg = piece?.closest("svg");
  const scale = Number(svg?.dataset.scale);
  if (!piece || !scale || event.button) return;
  const x = control(form, `${piece.dataset.move}[1]`);
  const y = control(form, `${piece.dataset.move}[2]`);
  const heading = piece.dataset.turn ? control(form, piece.dataset.turn) : null;
  if (!x || !y) return;
  event.preventDefault();
  const ratio = svg.viewBox.baseVal.width / svg.getBoundingClientRect().width / scale;
  const from = { x: event.clientX, y: event.clientY, left: Number(x.value), up: Number(y.value), turned: Number(heading?.value ?? 0) };
  const turning = event.shiftKey && heading;
  const move = (next) => {
    const across = (next.clientX - from.x) * ratio;
    const up = (from.y - next.clientY) * ratio;
    if (turning) heading.value = Math.round(from.turned + across * 10);
    else {
      x.value = (Math.round((from.left + across) * 20) / 20).toString();
      y.value = (Math.round((from.up + up) * 20) / 20).toString();
      piece.setAttribute("transform", `translate(${(across * scale).toFixed(2)} ${(-up * scale).toFixed(2)})`);
    }
  };
  const drop = () => {
    removeEventListener("pointermove", move);
    told(x, turning ? `Heading ${heading.value} degrees.` : `At ${x.value}, ${y.value} inches.`);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", drop, { once: true });
}
