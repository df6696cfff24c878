// A sheet: items that likely belong together. Untick what does not; then say where they go.

import { keyOf } from "./buttons.js";
import { isRow, small, soloCard } from "./cards.js";
import { fill, h, plural } from "./dom.js";
import { placeName, placesOf } from "./places.js";
import { tellingColumns } from "./telling.js";
import { tilesOf } from "./tiles.js";

// Of rows: the columns in which what is believed to belong differs from what is not.
function columnsOf({ items, ticked, first, group }) {
  if (!isRow(first)) return [];
  const others = items.filter((_, k) => !ticked[k]);
  const inside = [...(group?.exemplars ?? [first]), ...items.filter((_, k) => ticked[k])];
  return others.length ? tellingColumns([{ exemplars: inside }, { exemplars: others }]) : [];
}

export function sheetQuestion(question, ctx, { send, title }) {
  const known = question.group;
  let list = null; // of groups, once that is asked
  const columns = columnsOf(question);
  const tiles = tilesOf(question.items, question.ticked, ctx, { label: "Which belong? The doubtful ones come first", changed: count, columns });
  const done = h("button", { type: "button", class: "answer done", onclick: finish });
  const content = h("div", { class: "sheet-question" });
  const heading = question.ask;

  function anchor() {
    const shown = known ? known.exemplars : [question.first];
    return h(
      "div",
      { class: "sheet-anchor" },
      known
        ? h("div", { class: "anchor-strip" }, shown.map((card) => small(card, ctx.api, 112, columns)))
        : h("div", { class: "anchor-one" }, soloCard(question.first, ctx.api, columns)),
      known && h("p", { class: "quiet" }, h("strong", {}, known.name || known.title), ` ${known.name || known.title ? "· " : ""}${plural(known.size, "item")} so far`),
    );
  }

  function drawTiles() {
    list = null;
    title(heading);
    fill(
      content,
      h("div", { class: known ? "sheet-body" : "sheet-body open" }, anchor(), h("div", { class: "sheet-tiles" }, tiles.element)),
      h(
        "div",
        { class: "answers sheet-buttons" },
        h("button", { type: "button", class: "answer quiet-answer", onclick: () => tiles.set(false) }, "None"),
        h("button", { type: "button", class: "answer quiet-answer", onclick: () => tiles.set(true) }, "All"),
        done,
      ),
      h("p", { class: "effect" }, "Untick what does not belong, tick what does: by click, shift-click for several, or arrow keys and space."),
    );
    count();
    tiles.focus();
  }

  function count() {
    const n = tiles.ticked().length;
    const rest = question.items.length - n;
    fill(done, h("span", { class: "sign", "aria-hidden": "true" }, "✓"), h("span", {}, rest === 0 ? `All ${n} belong` : `${n} belong, ${rest} ${rest === 1 ? "does" : "do"} not`), keyOf("done"));
  }

  function finish() {
    if (known) return reply({ into: null });
    if (!question.places.length) return choose({ name: "" }); // they are the first group
    const chosen = [question.first, ...tiles.ticked()];
    list = placesOf(question.places, ctx, { study: question.study, label: "Groups, the likeliest first", choose });
    title(chosen.length === 1 ? "Where does this one go?" : `Where do these ${chosen.length} go?`);
    fill(
      content,
      h(
        "div",
        { class: "placing" },
        h(
          "div",
          { class: "pair" },
          h("div", { class: "card gathered" }, h("div", { class: "strip wide" }, chosen.map((card) => small(card, ctx.api, 96))), h("div", { class: "answers two" }, h("button", { type: "button", onclick: drawTiles }, "Back to the sheet"), h("button", { type: "button", onclick: () => reply({ into: null }) }, "Not sure where", keyOf("unsure")))),
          list.element,
        ),
      ),
    );
    ctx.announce(`Where do they go? ${plural(question.places.length, "group")}.`);
    list.focus();
  }

  function choose(choice) {
    if (choice.anchor !== undefined) return reply({ into: choice.member }, placeName(choice));
    reply({ into: "new", name: choice.name, among: question.places.map((one) => one.member) }, choice.name || "new group");
  }

  function reply(where, name = known ? placeName(known) : "") {
    const items = [question.first.key, ...question.items.map((card) => card.key)];
    const belonging = [question.first.key, ...tiles.keys()];
    const n = belonging.length - 1;
    const told = `${n} of ${question.items.length}${name ? ` into “${name}”` : ""}.`;
    send("sheet", { items, belonging, ...where }, `A sheet of ${items.length} items`, `Sorted ${told}`);
  }

  return {
    title: heading,
    spoken: `a sheet of ${plural(question.items.length, "item")}. ${heading} The doubtful ones come first.`,
    content,
    drawn: drawTiles,
    act(action, event) {
      if (list) {
        if (list.act(action, event)) return true;
        if (action === "unsure") reply({ into: null });
        else if (event?.key === "Escape") drawTiles();
        else return false;
        return true;
      }
      if (action === "done") finish();
      else if (action === "zoom") tiles.enlarge();
      else if (event?.key?.startsWith("Arrow")) tiles.focus();
      else return false;
      return true;
    },
  };
}
