// One of many, as large as the window allows: look closer, go on to the next, change its tick.

import { soloCard } from "./cards.js";
import { fill, h } from "./dom.js";

export function enlarge(cards, start, ctx, { isTicked, toggle, closed, words }) {
  let at = start;
  const stage = h("div", { class: "enlarged" });
  const box = h("input", { type: "checkbox", onchange: () => { toggle(at); draw(); } });
  const said = h("span");
  const where = h("span", { class: "quiet" });
  const go = (step) => {
    at = (at + step + cards.length) % cards.length;
    draw();
  };
  const dialog = h(
    "dialog",
    {
      class: "sheet wide",
      "aria-label": "Enlarged",
      onclose: () => {
        dialog.remove();
        closed(at);
      },
      onkeydown: (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (step) go(step);
        else if (event.key === " " && event.target !== box && !event.target.closest("button")) {
          toggle(at);
          draw();
        } else if (event.key.toLowerCase() === "z") dialog.close();
        else return;
        event.preventDefault();
        event.stopPropagation();
      },
    },
    h("div", { class: "sheet-head" }, where, h("button", { type: "button", class: "close", "aria-label": "Close", onclick: () => dialog.close() }, "✕")),
    stage,
    h("div", { class: "sheet-foot" }, h("button", { type: "button", onclick: () => go(-1) }, "← Before"), h("label", { class: "check" }, box, said), h("button", { type: "button", onclick: () => go(1) }, "Next →")),
  );
  function draw() {
    fill(stage, soloCard(cards[at], ctx.api));
    where.textContent = `${at + 1} of ${cards.length}`;
    box.checked = isTicked(at);
    said.textContent = words[box.checked ? 0 : 1];
  }
  draw();
  document.body.append(dialog);
  dialog.showModal();
  box.focus();
}
