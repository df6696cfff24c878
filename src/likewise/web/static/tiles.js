// Many items as tiles that can be ticked: by click, by range, by arrow keys and space.

import { brief } from "./cards.js";
import { h } from "./dom.js";
import { enlarge } from "./enlarge.js";
import { ledTo } from "./grid.js";
import { bar, cellsOf } from "./rows.js";

// `changed` is called whenever a tick has changed; of rows `columns` are shown, or the first ones.
export function tilesOf(cards, ticked, ctx, { label, changed = () => {}, words = ["belongs", "does not"], draggable = false, columns = [] }) {
  let last = null; // the tile that was changed last: from there a range begins
  let ranged = false; // whether the click that is under way has the shift key
  const boxes = cards.map((card, k) => h("input", { type: "checkbox", checked: ticked[k], "aria-label": card.id, onchange: () => onChange(k) }));
  const tiles = cards.map((card, k) => tile(card, k));
  const grid = h("ul", { class: "tiles-grid", "aria-label": label, onkeydown: move }, tiles.map((one) => h("li", {}, one)));

  function tile(card, k) {
    const shown = card.picture
      ? h("img", { class: "tile-picture", src: ctx.api.picture(card, 320), alt: "", loading: k < 30 ? "eager" : "lazy", draggable: false })
      : h("span", { class: "tile-text" }, card.row && !card.text ? rowLines(card, columns) : brief(card, 240));
    return h(
      "label",
      { class: "pick", draggable: draggable ? "true" : undefined, title: card.id, onclick: (event) => event.target === boxes[k] || (ranged = event.shiftKey), ondblclick: (event) => { event.preventDefault(); show(k); } },
      boxes[k],
      shown,
      h("span", { class: "pick-sign", "aria-hidden": "true" }),
      card.stack > 1 && h("span", { class: "note-sign stacked", title: `1 of ${card.stack} photographs of a burst` }, `▤ ${card.stack}`),
      h("button", { type: "button", class: "pick-zoom", tabindex: "-1", "aria-label": `Enlarge ${card.id}`, onclick: (event) => { event.preventDefault(); show(k); } }, "⤢"),
    );
  }

  function onChange(k) {
    if (ranged && last !== null) setRange(last, k, boxes[k].checked);
    ranged = false;
    last = k;
    changed();
  }

  function setRange(from, to, on) {
    for (let k = Math.min(from, to); k <= Math.max(from, to); k++) boxes[k].checked = on;
  }

  function move(event) {
    const k = boxes.indexOf(document.activeElement);
    const at = k < 0 ? null : ledTo(tiles, k, event);
    if (at === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.shiftKey) {
      setRange(k, at, boxes[k].checked);
      changed();
    }
    last = at;
    boxes[at].focus();
  }

  function show(k) {
    enlarge(cards, k, ctx, {
      isTicked: (at) => boxes[at].checked,
      words,
      toggle: (at) => {
        boxes[at].checked = !boxes[at].checked;
        changed();
      },
      closed: (at) => boxes[at].focus(),
    });
  }

  return {
    element: grid,
    ticked: () => cards.filter((_, k) => boxes[k].checked),
    keys: () => cards.filter((_, k) => boxes[k].checked).map((card) => card.key),
    set(on) {
      setRange(0, boxes.length - 1, on);
      changed();
    },
    tick(keys) {
      cards.forEach((card, k) => (boxes[k].checked = keys.has(card.key)));
      changed();
    },
    focus: () => boxes[0]?.focus({ preventScroll: true }),
    enlarge() {
      const k = boxes.indexOf(document.activeElement);
      if (cards.length) show(Math.max(0, k));
    },
    tiles,
  };
}

const rowLines = (card, columns) => cellsOf(card, columns, 5).map(([column, value, at]) => h("span", { class: "tile-cell" }, h("small", {}, column), ` ${value}`, bar(at)));
