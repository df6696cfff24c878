// What is said beside the answers: marks for review, further groups. Nothing moves by it.

import { small } from "./cards.js";
import { sheet } from "./dialogs.js";
import { h, plural } from "./dom.js";
import { placeName, placesOf } from "./places.js";
import { titleOf } from "./titles.js";

// Asks what is to be looked at and, of several items, at which of them; `all` takes all of them.
export function markDialog(ctx, cards, { all = false, done = () => {} } = {}) {
  const boxes = cards.map((card, k) => h("input", { type: "checkbox", checked: all || k === 0, "aria-label": card.id }));
  const field = h("input", { type: "text", id: "mark-note", maxlength: "500", autocomplete: "off" });
  const said = h("p", { class: "trouble", role: "alert" });
  const form = h(
    "form",
    { class: "asking", onsubmit: (event) => { event.preventDefault(); mark(); } },
    !all && cards.length > 1 && h("div", { class: "mark-which", role: "group", "aria-label": "Which of them" }, cards.map((card, k) => h("label", { class: "member" }, boxes[k], small(card, ctx.api), h("span", { class: "member-name", title: card.id }, card.id)))),
    h("label", { for: "mark-note" }, "What is to be looked at? (may stay empty)"),
    field,
    said,
    h("button", { type: "submit", class: "primary" }, "Mark for review"),
  );
  const title = cards.length === 1 ? `Does ${cards[0].id} need review?` : all ? `Mark ${plural(cards.length, "item")} for review` : "Which one needs review?";
  const dialog = sheet(title, form);
  field.focus();

  async function mark() {
    const items = cards.filter((_, k) => boxes[k].checked).map((card) => card.key);
    if (!items.length) return (said.textContent = "Tick at least one.");
    try {
      await ctx.api.mark({ items, note: field.value.trim(), annotator: ctx.person() });
    } catch (error) {
      return (said.textContent = `${error.message}.`);
    }
    dialog.close();
    ctx.done(`${plural(items.length, "item")} marked for review.`);
    ctx.progress?.();
    done();
  }
}

// Asks to which further group items belong.
export function alsoDialog(ctx, keys, groups, done) {
  const places = groups.map((other) => ({ anchor: other.members[0].key, name: other.name, title: titleOf(other), size: other.size, member: other.members[0].key, exemplars: other.members.slice(0, 4) }));
  const list = placesOf(places, ctx, {
    study: "move",
    label: "Other groups",
    fresh: false,
    choose: async (choice) => {
      dialog.close();
      if (await noted(ctx, "also", { items: keys, into: choice.member }, `${plural(keys.length, "item")} also in ${placeName(choice)} now.`)) done();
    },
  });
  const dialog = sheet(`${plural(keys.length, "item")} also in…`, h("p", { class: "quiet" }, "They stay where they are, and belong to the other group as well. It is no answer: nothing follows from it."), list.element);
  list.focus();
}

// Resolves with whether it was kept.
export async function noted(ctx, kind, body, said) {
  try {
    await ctx.api[kind]({ ...body, annotator: ctx.person() });
  } catch (error) {
    ctx.trouble(error);
    return false;
  }
  ctx.done(said);
  ctx.progress?.();
  return true;
}

// Signs on a tile: marked for review, belongs to further groups.
export function noteSigns({ review, also }, groups) {
  const named = also.map((number) => titleOf(groups.find((one) => one.group === number) ?? { group: number }));
  return h(
    "span",
    { class: "note-signs" },
    review !== null && h("span", { class: "note-sign", title: review || "needs review" }, "⚑", h("span", { class: "unseen" }, ` needs review ${review}`)),
    named.length > 0 && h("span", { class: "note-sign", title: `also in ${named.join(", ")}` }, `+${named.length}`, h("span", { class: "unseen" }, ` also in ${named.join(", ")}`)),
  );
}

// Items of other groups that belong to this one as well.
export function alsoHere(ctx, group, changed) {
  const remove = async (card) => {
    if (await noted(ctx, "also", { items: [card.key], into: group.members[0].key, belongs: false }, `${card.id} is no longer noted here.`)) changed();
  };
  return h(
    "section",
    { class: "also-here", "aria-labelledby": "also-title" },
    h("h2", { id: "also-title" }, "Also belong here"),
    h("ul", { class: "members" }, group.also.map((card) => h("li", { class: "member" }, small(card, ctx.api), h("span", { class: "member-name", title: card.id }, card.id), ctx.owns() && h("button", { type: "button", onclick: () => remove(card) }, "Not here", h("span", { class: "unseen" }, ` ${card.id}`))))),
  );
}
