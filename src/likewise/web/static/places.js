// The likely groups of an item: one click instead of several answers.

import { small } from "./cards.js";
import { h, plural } from "./dom.js";
import { keysAreOn } from "./keys.js";

export function placesOf(question, ctx, choose) {
  return h(
    "ol",
    { class: "places", "aria-label": "Likely groups" },
    question.places.map((place, k) =>
      h(
        "li",
        {},
        h(
          "button",
          { type: "button", class: "place", onclick: () => choose(place) },
          h(
            "span",
            { class: "place-head" },
            keysAreOn() && h("kbd", { "aria-hidden": "true" }, String(k + 1)),
            place.name && h("strong", {}, place.name),
            h("span", { class: "quiet" }, plural(place.size, "item")),
          ),
          h("span", { class: "strip" }, place.exemplars.map((card) => small(card, ctx.api))),
        ),
      ),
    ),
  );
}
