// Rows of a table: two side by side, or one alone, with bars where there are numbers.

import { h } from "./dom.js";

const MOST_EQUAL = 6; // equal columns that are shown unasked

// How far two cells are apart: numbers in usual ranges of their column; of texts nothing is known
// but whether, which counts as a whole one.
const apart = ({ left, right, at }) => (left === right ? 0 : at.includes(null) ? 1 : Math.abs(at[0] - at[1]));

// The cells of two rows by column, what differs most first.
function comparedCells([one, other]) {
  const cells = new Map(other.row.map(([column, value], k) => [column, [value, other.scale[k]]]));
  const lines = one.row.map(([column, left], k) => {
    const [right, at] = cells.get(column) ?? ["", null];
    return { column, left, right, at: [one.scale[k], at] };
  });
  return lines.sort((a, b) => apart(b) - apart(a));
}

export const columnsApart = (cards) => comparedCells(cards).filter((line) => line.left !== line.right).map(({ column }) => column);

// A number's place in the usual range of its column.
export function bar(at) {
  if (at === null) return "";
  const drawn = h("span", { class: "bar", "aria-hidden": "true" });
  drawn.style.width = `${100 * Math.min(1, Math.max(0, at))}%`;
  return drawn;
}

// Two rows share one table, so that what is to be compared stands side by side.
export function rowTable(cards) {
  const lines = comparedCells(cards);
  const different = lines.filter(({ left, right }) => left !== right);
  const equal = lines.filter(({ left, right }) => left === right);
  const line = ({ column, left, right, at }) =>
    h(
      "tr",
      { class: left === right ? "equal" : "unequal" },
      h("th", { scope: "row" }, column),
      h("td", {}, left, bar(at[0])),
      h("td", {}, right, bar(at[1])),
      // How far numbers are apart is what their bars say.
      h("td", { class: "sign" }, left === right ? "=" : at.includes(null) ? "≠" : "", h("span", { class: "unseen" }, left === right ? " equal" : " differs")),
    );
  const rest = h("tbody", { hidden: equal.length > MOST_EQUAL }, equal.map(line));
  const show = h("button", { type: "button", class: "aside", onclick: () => { rest.hidden = false; show.remove(); } }, `${equal.length} more are equal`);
  return h(
    "div",
    { class: "rows", tabindex: "0", role: "region", "aria-label": "The two rows" },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, h("td"), cards.map((card) => h("th", { scope: "col" }, card.id)), h("td"))),
      h("tbody", {}, different.map(line)),
      rest,
    ),
    equal.length > MOST_EQUAL && show,
  );
}

// One row; the columns that are to be looked at come first.
export function rowAlone(card, columns) {
  const lines = card.row.map(([column, value], k) => ({ column, value, at: card.scale[k], rank: columns.includes(column) ? columns.indexOf(column) : columns.length }));
  const rows = lines.sort((a, b) => a.rank - b.rank).map(({ column, value, at, rank }) => h("tr", { class: rank < columns.length ? "unequal" : undefined }, h("th", { scope: "row" }, column), h("td", {}, value, bar(at))));
  return h("div", { class: "rows", tabindex: "0", role: "region", "aria-label": card.id }, h("table", {}, h("tbody", {}, rows)));
}

// The cells of a row that are to be looked at, or its first ones: column, value, and where a number lies.
export function cellsOf(card, columns, most) {
  const cells = card.row.map(([column, value], k) => [column, value, card.scale[k]]);
  const chosen = columns.map((column) => cells.find(([name]) => name === column)).filter(Boolean);
  return (chosen.length ? chosen : cells).slice(0, most);
}
