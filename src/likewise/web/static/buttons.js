// Buttons that say which key does the same.

import { h } from "./dom.js";
import { hint } from "./keys.js";

export const keyOf = (action) => hint(action) && h("kbd", { "aria-hidden": "true" }, hint(action));

export function bigButton(action, label, sign, work, look = action) {
  return h(
    "button",
    { type: "button", class: `answer ${look}`, onclick: work },
    h("span", { class: "sign", "aria-hidden": "true" }, sign),
    label,
    keyOf(action),
  );
}

export function aside(action, label, work) {
  return h("button", { type: "button", class: "aside", onclick: work }, label, keyOf(action));
}
