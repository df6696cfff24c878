// How an item looks: large beside another, or small in a strip.

import { difference } from "./diff.js";
import { h } from "./dom.js";
import { stackSign } from "./stacks.js";

const BRIEF = 90; // characters of a text in a strip

export function pairOfCards([one, other], api) {
  if (one.picture) return [one, other].map((card) => large(card, picture(card, api, 1024)));
  if (one.text !== undefined && one.text !== null) {
    const sides = difference(one.text, other.text);
    return [one, other].map((card, k) => large(card, h("p", { class: "text" }, sides[k].map(piece))));
  }
  return [one, other].map((card) => large(card, h("p", { class: "number" }, card.id), false));
}

const MOST_EQUAL = 6; // equal columns that are shown unasked

const asNumber = (text) => (text.trim() === "" ? NaN : Number(text));

// How far two values are apart, from 0 to 1; of texts nothing is known but whether.
function apart(left, right) {
  const [a, b] = [asNumber(left), asNumber(right)];
  if (Number.isNaN(a) || Number.isNaN(b)) return left === right ? 0 : 1;
  return Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b), 1e-12) / 2;
}

function cell(value, other) {
  const [own, most] = [asNumber(value), Math.max(Math.abs(asNumber(value)), Math.abs(asNumber(other)))];
  if (Number.isNaN(own) || Number.isNaN(most) || most === 0) return h("td", {}, value);
  const bar = h("span", { class: "bar", "aria-hidden": "true" });
  bar.style.width = `${(100 * Math.abs(own)) / most}%`;
  return h("td", {}, value, bar);
}

// Two rows share one table, so that what is to be compared stands side by side: what differs most
// first, numbers with bars, and what is equal last.
export function rowTable([one, other]) {
  const cells = new Map(other.row);
  const lines = one.row.map(([column, left]) => ({ column, left, right: cells.get(column) ?? "" }));
  const different = lines.filter(({ left, right }) => left !== right).sort((a, b) => apart(b.left, b.right) - apart(a.left, a.right));
  const equal = lines.filter(({ left, right }) => left === right);
  const line = ({ column, left, right }) =>
    h(
      "tr",
      { class: left === right ? "equal" : "unequal" },
      h("th", { scope: "row" }, column),
      cell(left, right),
      cell(right, left),
      // How far numbers are apart is what their bars say.
      h("td", { class: "sign" }, left === right ? "=" : apart(left, right) === 1 ? "≠" : "", h("span", { class: "unseen" }, left === right ? " equal" : " differs")),
    );
  const rest = h("tbody", { hidden: equal.length > MOST_EQUAL }, equal.map(line));
  const show = h("button", { type: "button", class: "aside", onclick: () => { rest.hidden = false; show.remove(); } }, `${equal.length} more are equal`);
  return h(
    "div",
    { class: "rows", tabindex: "0", role: "region", "aria-label": "The two rows" },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, h("td"), h("th", { scope: "col" }, one.id), h("th", { scope: "col" }, other.id), h("td"))),
      h("tbody", {}, different.map(line)),
      rest,
    ),
    equal.length > MOST_EQUAL && show,
  );
}

export const isRow = (card) => Boolean(card?.row && !card.picture && (card.text ?? null) === null);

// Alone; of a row, the columns that are to be looked at come first.
export function soloCard(card, api, columns = []) {
  if (card.picture) return large(card, picture(card, api, 1024));
  if (card.text !== undefined && card.text !== null) return large(card, h("p", { class: "text" }, card.text));
  if (card.row) {
    const first = card.row.filter(([column]) => columns.includes(column));
    const ordered = [...first.sort(([one], [other]) => columns.indexOf(one) - columns.indexOf(other)), ...card.row.filter(([column]) => !columns.includes(column))];
    const rows = ordered.map(([column, value]) => h("tr", { class: columns.includes(column) ? "unequal" : undefined }, h("th", { scope: "row" }, column), h("td", {}, value)));
    return large(card, h("div", { class: "rows" }, h("table", {}, h("tbody", {}, rows))));
  }
  return large(card, h("p", { class: "number" }, card.id), false);
}

export function small(card, api, side = 72, columns = []) {
  if (card.picture) {
    return h("img", { class: "thumb", src: api.picture(card, side > 80 ? 320 : 160), alt: card.id, title: card.id, loading: "lazy", width: side, height: side });
  }
  return h("span", { class: "slip", title: card.id }, brief(card, BRIEF, columns));
}

// The cells of a row that are to be looked at, or its first ones.
export function cellsOf(card, columns, most) {
  const chosen = columns.map((column) => card.row.find(([name]) => name === column)).filter(Boolean);
  return (chosen.length ? chosen : card.row).slice(0, most);
}

export function brief(card, longest = BRIEF, columns = []) {
  const text = card.text ?? (card.row ? cellsOf(card, columns, 3).map(([column, value]) => `${column} ${value}`).join(" · ") : card.id);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function large(card, content, named = true) {
  return h("figure", { class: "card" }, h("div", { class: "stage" }, content), named && h("figcaption", {}, card.id, card.stack > 1 && stackSign(card)));
}

function picture(card, api, size) {
  return h("img", { src: api.picture(card, size), alt: card.id, draggable: false, "data-full": api.picture(card, 2048) });
}

function piece([text, shared]) {
  return shared ? text : h("mark", {}, text);
}
