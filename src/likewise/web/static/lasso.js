// The lasso: a line drawn round dots of the map; what lies inside is a sheet below, the map stays.

import { fill, h, plural } from "./dom.js";
import { edited, moveDialog } from "./editing.js";
import { tilesOf } from "./tiles.js";

const SHOWN = 96; // of the items inside

// Whether a point lies within a closed line, by how often a ray to the right crosses it.
export function encloses(line, x, y) {
  let inside = false;
  for (let k = 0, j = line.length - 1; k < line.length; j = k++) {
    const [ax, ay] = line[k];
    const [bx, by] = line[j];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

// The sheet of what was caught; `changed` is called when an edit has moved items.
export function lassoSheet(board, ctx, items, changed) {
  if (!items.length) return fill(board, h("p", { class: "quiet", role: "status" }, "There is nothing inside that line."));
  const bar = h("div", { class: "answers pick-bar" });
  let tiles = null;
  show();

  async function show() {
    let cards;
    try {
      cards = await ctx.api.items(items.slice(0, SHOWN));
    } catch (error) {
      return ctx.trouble(error);
    }
    tiles = tilesOf(cards, cards.map(() => true), ctx, { label: "Items inside the line", changed: drawBar, words: ["picked", "not picked"] });
    tiles.element.classList.add("picking");
    const more = items.length > cards.length ? `${plural(items.length, "item")} inside; the first ${cards.length} are shown and picked.` : `${plural(items.length, "item")} inside.`;
    fill(board, h("h2", { id: "lasso-title", tabindex: "-1" }, "Inside the line"), h("p", { class: "quiet", role: "status" }, `${more} Unpick what you do not mean.`), tiles.element, ctx.owns() && bar);
    drawBar();
    board.querySelector("h2").focus({ preventScroll: true });
    board.scrollIntoView({ block: "nearest" });
  }

  function drawBar() {
    const n = tiles.keys().length;
    const act = (label, work, primary = false) => h("button", { type: "button", class: primary && n ? "primary" : undefined, disabled: n === 0, onclick: work }, label);
    fill(
      bar,
      h("span", { class: "picked-count", role: "status" }, n ? `${n} picked` : "None picked"),
      act("Move to…", moveTo, true),
      act("Make a group of these", () => edit("split", { items: tiles.keys() }, "They are a group of their own now.")),
      h("button", { type: "button", onclick: () => tiles.set(n === 0) }, n ? "Pick none" : "Pick all"),
      h("button", { type: "button", onclick: () => fill(board) }, "Close"),
    );
  }

  async function moveTo() {
    let groups;
    try {
      groups = await ctx.api.groups();
    } catch (error) {
      return ctx.trouble(error);
    }
    moveDialog(ctx, tiles.keys(), groups, (body, done) => edit("move", body, done));
  }

  async function edit(kind, body, done) {
    if (!(await edited(ctx, kind, body, done))) return;
    fill(board);
    changed();
  }
}
