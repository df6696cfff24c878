// Edits of groups, wherever they are made: kept in one piece, and what speaks against them is shown.

import { h, plural } from "./dom.js";
import { placeName, placesOf } from "./places.js";
import { confirmAgainst } from "./said.js";
import { titleOf } from "./titles.js";

// An edit that answers speak against is offered again, with those answers taken back.
// Resolves with whether it was made.
export async function edited(ctx, kind, body, done) {
  const whole = { ...body, annotator: ctx.person() };
  try {
    await ctx.api[kind](whole);
  } catch (error) {
    if (!error.against?.length) return ctx.trouble(error);
    if (!(await confirmAgainst(ctx, error))) return false;
    try {
      await ctx.api[kind]({ ...whole, force: true });
    } catch (second) {
      return ctx.trouble(second);
    }
  }
  ctx.done(done);
  ctx.progress();
  return true;
}

// Asks where items go: any of the groups, by its digit, by a part of its name, or a new one.
export function moveDialog(ctx, items, groups, move) {
  const places = groups.map((other) => ({ anchor: other.members[0].key, name: other.name, title: titleOf(other), size: other.size, member: other.members[0].key, exemplars: other.members.slice(0, 4) }));
  const list = placesOf(places, ctx, {
    study: "move",
    label: "Other groups",
    choose: (choice) => {
      dialog.close();
      const isNew = choice.anchor === undefined;
      const where = isNew ? { into: "new", name: choice.name } : { into: choice.member };
      move({ items, ...where }, `Moved ${plural(items.length, "item")} to ${isNew ? choice.name || "a new group" : placeName(choice)}.`);
    },
  });
  const dialog = h(
    "dialog",
    { class: "sheet narrow", "aria-labelledby": "move-title", onclose: () => dialog.remove(), onkeydown: (event) => /^[0-9]$/.test(event.key) && event.target.tagName !== "INPUT" && list.act(null, event) },
    h("div", { class: "sheet-head" }, h("h2", { id: "move-title" }, `Move ${plural(items.length, "item")} to…`), h("button", { type: "button", class: "close", "aria-label": "Close", onclick: () => dialog.close() }, "✕")),
    list.element,
  );
  document.body.append(dialog);
  dialog.showModal();
  list.focus();
}
