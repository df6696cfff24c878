// A stack: photographs of one burst that are asked about as one. It can be looked through, and taken apart.

import { sheet } from "./dialogs.js";
import { h, plural } from "./dom.js";

// The sign of a stack, to be pressed; whoever shows cards need not know what becomes of it.
export function stackSign(card) {
  const open = (event) => {
    event.preventDefault();
    event.currentTarget.dispatchEvent(new CustomEvent("likewise-stack", { bubbles: true, detail: card }));
  };
  return h("button", { type: "button", class: "stack-sign", onclick: open }, h("span", { "aria-hidden": "true" }, "▤ "), `1 of ${card.stack}`, h("span", { class: "unseen" }, ` photographs of a burst: show ${card.id} and the others`));
}

export async function showStack(card, ctx) {
  let found;
  try {
    found = await ctx.api.stack(card.key);
  } catch (error) {
    return ctx.trouble(error);
  }
  const apart = async () => {
    dialog.close();
    try {
      await ctx.api.unstack({ item: card.key, annotator: ctx.person() });
    } catch (error) {
      return ctx.trouble(error);
    }
    ctx.done("The stack is taken apart; its photographs join in a moment, each by itself.");
  };
  const dialog = sheet(
    `${plural(found.length, "photograph")} of a burst`,
    h("p", { class: "quiet" }, "They were taken within seconds and look alike, so they are asked about as one and go to one group."),
    h("ul", { class: "stack-sheet" }, found.map((one) => h("li", {}, h("figure", {}, h("img", { src: ctx.api.picture(card, 640, one.member), alt: "", loading: "lazy" }), h("figcaption", {}, one.id))))),
    ctx.owns() && h("div", { class: "sheet-foot" }, h("button", { type: "button", onclick: apart }, "Take the stack apart")),
  );
  dialog.classList.replace("narrow", "wide");
}
