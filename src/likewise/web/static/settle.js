// What was found, how many groups there may be, and what should count.

import { fill, h, plural } from "./dom.js";

const NOUNS = { pictures: "picture", texts: "text", table: "row", vectors: "vector" };
const SEEN = 8; // columns that are seen at once
const COUNTS = { pictures: "How they look", texts: "What they say", vectors: "All their numbers" };

export function settleView(root, ctx, pile) {
  const problem = h("p", { class: "trouble", role: "alert" });
  const begin = h("button", { type: "submit", class: "primary" }, pile.answers === null ? "Read it and begin" : "Go on");
  const about = h("input", { type: "text", inputmode: "numeric", id: "groups", maxlength: "12", autocomplete: "off", "aria-label": "Number of groups, such as 8, or 5-20", oninput: () => (rough.checked = true) });
  const none = h("input", { type: "radio", name: "groups", value: "none", checked: true });
  const rough = h("input", { type: "radio", name: "groups", value: "about", onchange: () => about.focus() });
  const counts = pile.kind === "table" ? columnsOf(pile) : null;
  const stacks = h("input", { type: "checkbox" });

  const size = pile.count === null ? "" : `${pile.whole ? "" : "at least "}${plural(pile.count, NOUNS[pile.kind])}`;
  const found = [size || `A file of ${NOUNS[pile.kind]}s`, pile.aside && `left aside: ${pile.aside}`].filter(Boolean).join("; ");

  const form = h(
    "form",
    { class: "settle", onsubmit: (event) => { event.preventDefault(); send(); } },
    pile.answers === null && h("fieldset", {}, h("legend", {}, "Roughly how many groups?"), h("label", { class: "check" }, none, "No idea"), h("label", { class: "check about" }, rough, "About", about), h("p", { class: "quiet" }, "About 10 means anything from 5 to 20; write 10-12 if you know better.")),
    pile.answers === null && h("fieldset", {}, h("legend", {}, "What should count?"), counts ? counts.root : h("p", {}, COUNTS[pile.kind])),
    pile.answers === null && pile.kind === "pictures" && h("fieldset", {}, h("legend", {}, "Bursts"), h("label", { class: "check" }, stacks, "Ask about photographs of one burst as one"), h("p", { class: "quiet" }, "Taken within seconds by one camera, and looking alike; a stack can be looked through and taken apart.")),
    pile.answers !== null && h("p", {}, `${plural(pile.answers, "answer")} so far; it goes on where you stopped.`),
    problem,
    h("p", { class: "row-of" }, begin, h("button", { type: "button", onclick: () => ctx.choose() }, "Another pile")),
    pile.kept && h("p", { class: "quiet kept" }, "Answers are kept in ", h("code", {}, pile.kept)),
  );

  async function send() {
    const groups = rough.checked ? groupsOf(about.value) : null;
    if (groups === undefined) {
      problem.textContent = "Give the number of groups as one number, like 8, or a range, like 5-20; or choose “No idea”.";
      return about.focus();
    }
    begin.disabled = true;
    try {
      await ctx.post("/open", { path: pile.path, groups, ...(stacks.checked ? { stacks: true } : {}), ...(counts?.chosen() ?? {}) });
    } catch (error) {
      begin.disabled = false;
      problem.textContent = error.message;
      return;
    }
    ctx.watch();
  }

  fill(root, h("section", { class: "start-card", "aria-labelledby": "settle-title" }, h("h1", { id: "settle-title", tabindex: "-1" }, pile.name), h("p", { class: "lead" }, `${found}.`), form));
  ctx.say(`${pile.name}: ${found}.`);
  begin.focus();
}

// "8" is about eight, from half to twice as many; "5-20" is what it says; undefined is nothing.
export function groupsOf(text) {
  const found = /^\s*(\d{1,5})\s*(?:[-–]\s*(\d{1,5})\s*)?$/.exec(text);
  if (!found) return undefined;
  const [low, high] = [Number(found[1]), Number(found[2] ?? found[1])];
  if (low < 1 || high < low) return undefined;
  if (found[2] === undefined) return low === 1 ? 1 : [Math.max(2, Math.floor(low / 2)), 2 * low];
  return low === high ? low : [low, high];
}

function columnsOf({ columns, guess }) {
  // One that is compared alone unless it is left out can only be chosen alone; ids never count.
  const several = columns.filter(({ name, kind }) => kind !== "names" && name !== guess);
  const kindOf = Object.fromEntries(columns.map(({ name, kind }) => [name, kind]));
  const special = columns.filter(({ kind }) => kind === "texts" || kind === "pictures");
  const start = guess || "";
  const radio = (value, label, detail) => h("label", { class: "check" }, h("input", { type: "radio", name: "counts", value, checked: value === start, onchange: draw }), label, detail && h("span", { class: "quiet" }, detail));
  const ticks = h("ul", { class: "columns" }, several.map(({ name, kind, example }) => h("li", {}, h("label", { class: "check" }, h("input", { type: "checkbox", value: name, checked: true }), h("span", { class: "entry-name" }, name), h("span", { class: "quiet" }, `${kind}${example ? `, such as ${example}` : ""}`)))));
  const list = h("div", {}, several.length > SEEN && h("p", { class: "quiet" }, `${several.length} columns; scroll to see all.`), ticks);
  const root = h(
    "div",
    {},
    special.map(({ name, kind, example }) => radio(name, kind === "pictures" ? `The pictures in “${name}”` : `The texts in “${name}”`, example && `such as ${example}`)),
    special.length > 0 && several.length > 0 && radio("", "These columns:"),
    list,
  );
  const chosenColumn = () => (special.length ? root.querySelector("input[name=counts]:checked").value : "");
  function draw() {
    list.hidden = chosenColumn() !== "";
  }
  draw();
  return {
    root,
    chosen() {
      const name = chosenColumn();
      if (name) return kindOf[name] === "pictures" ? { image: name } : { text: name };
      const drop = [...ticks.querySelectorAll("input:not(:checked)")].map((box) => box.value);
      return { drop: guess ? [guess, ...drop] : drop };
    },
  };
}
