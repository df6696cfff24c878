// A pair: two items, three answers.

import { isRow, pairOfCards, small } from "./cards.js";
import { h, plural } from "./dom.js";
import { bigButton } from "./buttons.js";
import { columnsApart, rowTable } from "./rows.js";
import { onSwipe } from "./swipe.js";
import { flip, linkedZoom } from "./zoom.js";

export const WORDS = { same: "Same", different: "Different", unsure: "Not sure" };

// `known`: the answer follows from others, so that nothing is joined by it.
export function pairQuestion(question, ctx, { answer, isBusy, known = false }) {
  const [one, other] = question.items;
  const stage = h("div", { class: "pair" });
  const columns = isRow(one) ? columnsApart(question.items) : [];
  if (isRow(one)) {
    stage.classList.add("as-rows");
    stage.append(rowTable(question.items), h("div", { class: "kin-pair" }, kin(0), kin(1)));
  } else {
    stage.append(...pairOfCards(question.items, ctx.api).map((card, k) => {
      card.append(kin(k));
      return card;
    }));
  }
  const buttons = h(
    "div",
    { class: "answers" },
    bigButton("different", "Different", "≠", () => answer("different")),
    bigButton("unsure", "Not sure", "?", () => answer("unsure")),
    bigButton("same", "Same", "=", () => answer("same")),
  );
  const content = h("div", {}, stage, buttons, h("p", { class: "effect" }, effect()));
  const zoom = linkedZoom(content);
  onSwipe(stage, {
    left: () => answer("different"),
    right: () => answer("same"),
    blocked: () => zoom.on || isBusy(),
  });

  // What is known to be like the item: a few of them, and how many there are.
  function kin(k) {
    const others = question.sizes[k] - 1;
    const name = question.names[k];
    if (!others) return h("div", { class: "kin none" }, h("span", { class: "kin-count" }, name || "nothing known to be like it yet"));
    return h(
      "div",
      { class: "kin" },
      h("span", { class: "kin-count" }, name ? h("strong", {}, name, " · ") : "", `with ${plural(others, "other")}`),
      h("div", { class: "strip" }, question.exemplars[k].map((card) => small(card, ctx.api, undefined, columns))),
    );
  }

  function effect() {
    const [first, second] = question.sizes;
    if (known) return "";
    if (first === 1 && second === 1) return "“Same” puts these two together.";
    return `“Same” joins ${first} and ${plural(second, "item")}.`;
  }

  return {
    title: question.ask,
    spoken: `${one.id} and ${other.id}. ${question.ask} ${effect()}`,
    content,
    act: (action) => {
      const acts = {
        same: () => answer("same"),
        different: () => answer("different"),
        unsure: () => answer("unsure"),
        zoom: () => zoom.toggle(),
        flip: () => flip(content),
      }[action];
      acts?.();
      return Boolean(acts);
    },
  };
}
