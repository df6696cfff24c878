// What became of answers that could not be kept: it stays on the page until somebody has read it.

import { fill, h } from "./dom.js";
import { awayLine } from "./troubles.js";

export function createReports(box) {
  let lines = []; // answers that were not kept
  let waiting = []; // answers that wait for another study
  let read = ""; // what was read already about those

  function draw() {
    const told = waiting.join(" ") === read ? [] : waiting;
    const shown = [...lines, ...told];
    box.hidden = !shown.length;
    fill(
      box,
      h("ul", {}, shown.map((line) => h("li", {}, line))),
      h("button", { type: "button", onclick: close }, "Understood"),
    );
  }

  function close() {
    lines = [];
    read = waiting.join(" ");
    draw();
  }

  return {
    get empty() {
      return box.hidden;
    },
    add(line) {
      lines = [...lines, line];
      draw();
    },
    away(entries) {
      const counts = new Map();
      for (const { pile } of entries) counts.set(pile, (counts.get(pile) ?? 0) + 1);
      waiting = [...counts].map(([pile, n]) => awayLine(pile, n));
      draw();
    },
  };
}
