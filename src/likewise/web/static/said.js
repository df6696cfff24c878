// An answer that was given: its two items, and what was said between them.

import { brief, small } from "./cards.js";
import { h } from "./dom.js";

const SIGNS = { same: "=", different: "≠", unsure: "?" };

const item = (one, api) => h("figure", { class: "said-item" }, small(one, api), h("figcaption", { title: one.id }, one.picture ? one.id.split("/").at(-1) : brief(one) === one.id ? "" : one.id));

export function saidPair([one, other], answer, api) {
  const verdict = answer.verdict === "unsure" ? "not sure" : answer.verdict;
  return h("div", { class: answer.by_program ? "said-pair by-program" : "said-pair" }, item(one, api), h("span", { class: "said-sign" }, h("span", { "aria-hidden": "true" }, SIGNS[answer.verdict]), h("small", {}, verdict, answer.by_program && " by a program")), item(other, api));
}

// What earlier answers say against an edit: resolves with whether they are to be taken back.
export function confirmAgainst(ctx, { against }) {
  const n = against.length;
  const shown = h("div", { class: "against" }, against.map(({ answer, items }) => h("div", { class: "said" }, saidPair(items, answer, ctx.api))));
  return ctx.confirm({
    title: n === 1 ? "One earlier answer says otherwise" : `${n} earlier answers say otherwise`,
    content: [shown, h("p", { class: "quiet" }, "Undo brings everything back as it is now.")],
    action: n === 1 ? "Do it, and take it back" : "Do it, and take them back",
  });
}
