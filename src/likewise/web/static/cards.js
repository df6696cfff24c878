// How an item looks: large beside another, or small in a strip.

import { difference } from "./diff.js";
import { h } from "./dom.js";
import { cellsOf, rowAlone } from "./rows.js";
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

export const isRow = (card) => Boolean(card?.row && !card.picture && (card.text ?? null) === null);

// Alone; of a row, the columns that are to be looked at come first.
export function soloCard(card, api, columns = []) {
  if (card.picture) return large(card, picture(card, api, 1024));
  if (card.text !== undefined && card.text !== null) return large(card, h("p", { class: "text" }, card.text));
  if (card.row) return large(card, rowAlone(card, columns));
  return large(card, h("p", { class: "number" }, card.id), false);
}

export function small(card, api, side = 72, columns = []) {
  if (card.picture) {
    return h("img", { class: "thumb", src: api.picture(card, side > 80 ? 320 : 160), alt: card.id, title: card.id, loading: "lazy", width: side, height: side, onerror: insteadOf("span", { class: "thumb missing", title: `${card.id} cannot be shown` }, "?") });
  }
  return h("span", { class: "slip", title: card.id }, brief(card, BRIEF, columns));
}

export function brief(card, longest = BRIEF, columns = []) {
  const text = card.text ?? (card.row ? cellsOf(card, columns, 3).map(([column, value]) => `${column} ${value}`).join(" · ") : card.id);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function large(card, content, named = true) {
  return h("figure", { class: "card" }, h("div", { class: "stage" }, content), named && h("figcaption", {}, card.id, card.stack > 1 && stackSign(card)));
}

// What stands in for a picture that cannot be shown; in a notebook one that is still to come has no address yet.
const insteadOf = (...instead) => ({ currentTarget: image }) => image.getAttribute("src").startsWith("#") || image.replaceWith(h(...instead));

function picture(card, api, size) {
  const gone = insteadOf("p", { class: "quiet missing" }, "This picture cannot be shown: its file was moved, changed or deleted.");
  return h("img", { src: api.picture(card, size), alt: card.id, draggable: false, "data-full": api.picture(card, 2048), onerror: gone });
}

function piece([text, shared]) {
  return shared ? text : h("mark", {}, text);
}
