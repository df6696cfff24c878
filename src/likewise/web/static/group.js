// One group as a sheet: the doubtful ones first. Pick some, then say what to do with them.

import { fill, h, percent, plural, spinner } from "./dom.js";
import { moveDialog } from "./editing.js";
import { alsoDialog, alsoHere, markDialog, noteSigns } from "./notes.js";
import { tilesOf } from "./tiles.js";
import { titleOf } from "./titles.js";

const PAGE = 120; // members shown at a time

export function groupPage(root, ctx, { group, groups, columns, edit, rename, changed }) {
  let tiles = null;
  let cards = [];
  let order = "doubtful";
  const noted = {}; // by key: marked for review, further groups
  const title = titleOf(group);
  const bar = h("div", { class: "answers pick-bar" });
  const more = h("button", { type: "button", onclick: () => load() }, "Show more");
  const board = h("div", {}, spinner("Getting its members…"));
  const sort = h(
    "select",
    { "aria-label": "Order of the members", onchange: () => { order = sort.value; cards = []; load(); } },
    h("option", { value: "doubtful" }, "Doubtful first"),
    h("option", { value: "surest" }, "Surest first"),
  );
  fill(
    root,
    h(
      "section",
      { class: "group-page", "aria-labelledby": "group-title" },
      h("p", {}, h("a", { class: "back", href: "#groups", onclick: (event) => { event.preventDefault(); ctx.go("groups"); } }, "← All groups")),
      h(
        "div",
        { class: "ask-line" },
        group.collection.length > 0 && h("p", { class: "group-path" }, group.collection.join(" / ")),
        h("h1", { id: "group-title", tabindex: "-1" }, title),
        h("p", { class: "quiet" }, `${plural(group.size, "item")}, ${group.known} by answers · ${percent(group.confidence)} sure`),
        h("div", { class: "row-of" }, sort, ctx.owns() && h("button", { type: "button", onclick: () => rename(group) }, "Rename"), ctx.owns() && h("button", { type: "button", class: "primary", onclick: confirmAll }, "All shown belong here")),
      ),
      ctx.owns() && h("p", { class: "quiet" }, "Pick some, by click, shift-click or arrow keys and space; then say what to do with them."),
      board,
      more,
      group.also.length > 0 && alsoHere(ctx, group, changed),
      ctx.owns() && bar,
    ),
  );
  load();

  async function load() {
    let found;
    const kept = new Set(tiles?.keys() ?? []);
    try {
      found = await ctx.api.group(group.group, cards.length, PAGE, order);
    } catch (error) {
      return ctx.trouble(error);
    }
    cards = [...cards, ...found.members];
    tiles = tilesOf(cards, cards.map((card) => kept.has(card.key)), ctx, { label: `Members of ${title}`, changed: drawBar, words: ["picked", "not picked"], columns });
    tiles.element.classList.add("picking");
    Object.assign(noted, found.noted);
    cards.forEach((card, k) => noted[card.key] && tiles.tiles[k].append(noteSigns(noted[card.key], groups)));
    fill(board, tiles.element);
    more.hidden = cards.length >= found.size || !found.members.length;
    drawBar();
  }

  function drawBar() {
    const n = tiles.keys().length;
    const act = (label, work, { primary = false, any = false } = {}) => h("button", { type: "button", class: primary ? "primary" : undefined, disabled: !any && n === 0, onclick: work }, label);
    const focus = document.activeElement?.textContent;
    fill(
      bar,
      h("span", { class: "picked-count", role: "status" }, n ? `${n} picked` : "None picked"),
      act("Move to…", moveTo, { primary: n > 0 }),
      act("Make a group of these", () => edit("split", { items: tiles.keys() }, "They are a group of their own now.")),
      act("Does not belong", () => edit("notHere", { items: tiles.keys() }, "They do not belong there; questions will follow.")),
      act("Also in…", () => alsoDialog(ctx, tiles.keys(), groups.filter((other) => other.group !== group.group), changed)),
      act("Needs review", () => markDialog(ctx, tiles.ticked(), { all: true, done: changed })),
      n === 1 ? act("Pick all like this", pickLike) : act(n ? "Pick none" : "Pick all", () => tiles.set(n === 0), { any: true }),
    );
    // Buttons are made anew: whoever pressed one by keyboard stays where they were.
    if (focus) [...bar.querySelectorAll("button")].find((one) => one.textContent === focus)?.focus();
  }

  async function pickLike() {
    const [key] = tiles.keys();
    try {
      const { items } = await ctx.api.like(group.group, key);
      tiles.tick(new Set(items));
    } catch (error) {
      ctx.trouble(error);
    }
  }

  function confirmAll() {
    edit("confirmMembers", { items: cards.map((card) => card.key) }, `${plural(cards.length, "item")} confirmed in ${title}.`);
  }

  function moveTo() {
    moveDialog(ctx, tiles.keys(), groups.filter((other) => other.group !== group.group), (body, done) => edit("move", body, done));
  }

  return {
    act(action, event) {
      if (action === "zoom") tiles?.enlarge();
      else if (event?.key?.startsWith("Arrow") && tiles) tiles.focus();
      else if (event?.key === "Escape") ctx.go("groups");
      else return false;
      return true;
    },
  };
}
