// Groups of groups: collections, which may lie in others. Drag a group onto one, or choose it.

import { sheet } from "./dialogs.js";
import { fill, h, plural } from "./dom.js";
import { noted } from "./notes.js";
import { titleOf } from "./titles.js";

const BETWEEN = " / ";
const GROUP = "text/likewise-group";

// Rows of groups inside their collections; just the rows while there is no collection.
export function inCollections(groups, row, ctx, changed) {
  if (!groups.some((group) => group.collection.length)) return groups.map(row);
  const root = { path: [], groups: [], inner: new Map() };
  for (const group of groups) {
    let at = root;
    for (const level of group.collection) {
      if (!at.inner.has(level)) at.inner.set(level, { path: [...at.path, level], groups: [], inner: new Map() });
      at = at.inner.get(level);
    }
    at.groups.push(group);
  }
  const inner = (node) => [...node.inner.values()].sort((one, other) => one.path.at(-1).localeCompare(other.path.at(-1))).map(drawn);
  const drawn = (node) => {
    const all = within(node);
    const name = node.path.at(-1);
    const head = h(
      "summary",
      { class: "collection-head", ...dropping(node.path, ctx, changed) },
      h("h2", {}, name),
      h("span", { class: "quiet" }, `${plural(all.length, "group")}, ${plural(all.reduce((sum, group) => sum + group.size, 0), "item")}`),
    );
    const tools = ctx.owns() && h("button", { type: "button", class: "collection-rename", onclick: () => rename(node.path, ctx, changed) }, "Rename or move", h("span", { class: "unseen" }, ` ${name}`));
    return h("li", { class: "collection" }, h("details", { open: true }, head, tools, h("ul", { class: "group-list" }, inner(node), node.groups.map(row))));
  };
  const loose = root.groups.length > 0 && h("li", { class: "collection-none quiet", ...dropping([], ctx, changed) }, "In no collection");
  return [...inner(root), loose, ...root.groups.map(row)].filter(Boolean);
}

const within = (node) => [...node.groups, ...[...node.inner.values()].flatMap(within)];

function dropping(path, ctx, changed) {
  if (!ctx.owns()) return {};
  return {
    ondragover: (event) => {
      if (!event.dataTransfer.types.includes(GROUP)) return;
      event.preventDefault();
      event.currentTarget.classList.add("drop");
    },
    ondragleave: (event) => event.currentTarget.classList.remove("drop"),
    ondrop: (event) => {
      event.preventDefault();
      event.currentTarget.classList.remove("drop");
      const { key, title } = JSON.parse(event.dataTransfer.getData(GROUP));
      put(ctx, key, title, path, changed);
    },
  };
}

// What lets a group be dragged by its head.
export const dragging = (group) => ({
  draggable: "true",
  ondragstart: (event) => {
    event.dataTransfer.setData(GROUP, JSON.stringify({ key: group.members[0].key, title: titleOf(group) }));
    event.dataTransfer.effectAllowed = "move";
  },
});

async function put(ctx, item, title, path, changed) {
  const collection = path.join(BETWEEN);
  if (await noted(ctx, "collect", { item, collection }, collection ? `${title} is in ${collection}.` : `${title} is in no collection.`)) changed();
}

async function rename(path, ctx, changed) {
  const collection = path.join(BETWEEN);
  const to = await ctx.ask({ title: `Rename or move ${path.at(-1)}`, label: "Collection, with those it lies in before it", value: collection, action: "Keep it", note: "“living things / animals” puts animals into living things; nothing at all dissolves it." });
  if (to === null || to === collection) return;
  if (await noted(ctx, "renameCollection", { collection, to }, to ? `It is ${to} now.` : `${collection} is dissolved.`)) changed();
}

// Asks for the collection of a group: one that there is, or a new one.
export function collectDialog(ctx, group, groups, changed) {
  const title = titleOf(group);
  const known = [...new Set(groups.flatMap((one) => one.collection.map((_, k) => one.collection.slice(0, k + 1).join(BETWEEN))))].sort();
  const choose = (path) => {
    dialog.close();
    put(ctx, group.members[0].key, title, path, changed);
  };
  const field = h("input", { type: "text", id: "collection-name", maxlength: "1000", autocomplete: "off", value: group.collection.join(BETWEEN) });
  const list = h("div", { class: "row-of" });
  fill(list, known.map((name) => h("button", { type: "button", onclick: () => choose([name]) }, name)), group.collection.length > 0 && h("button", { type: "button", onclick: () => choose([]) }, "In no collection"));
  const dialog = sheet(
    `A collection for ${title}`,
    h(
      "form",
      { class: "asking", onsubmit: (event) => { event.preventDefault(); choose([field.value.trim()]); } },
      known.length > 0 && list,
      h("label", { for: "collection-name" }, "Name"),
      field,
      h("p", { class: "quiet" }, "A slash puts it into another one: living things / animals."),
      h("button", { type: "submit", class: "primary" }, "Put it there"),
    ),
  );
  field.focus();
  field.select();
}
