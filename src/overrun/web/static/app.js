// Every page works without scripts. These make it smoother: parts of a page are exchanged instead of the whole.
import { swapping } from "./swap.js";
import { waiting } from "./wait.js";
import { dice } from "./dice.js";
import { editor } from "./editor.js";
import { board } from "./board.js";
import { copying } from "./copy.js";

const enhancements = [dice, editor, board, copying, waiting];

export function enhance(root) {
  for (const enhancement of enhancements) enhancement(root);
}

swapping(enhance);
enhance(document);
