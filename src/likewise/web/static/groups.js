// The groups: find them, name them, merge several, drag what belongs elsewhere; one can be opened.

import { isRow, small } from "./cards.js";
import { collectDialog, dragging, inCollections } from "./collections.js";
import { fill, h, percent, plural, spinner } from "./dom.js";
import { edited } from "./editing.js";
import { groupPage } from "./group.js";
import { tellingColumns } from "./telling.js";
import { titleOf } from "./titles.js";

const ORDERS = {
  size: { title: "Largest first", by: (a, b) => b.size - a.size },
  doubt: { title: "Least sure first", by: (a, b) => a.confidence - b.confidence },
  name: { title: "By name", by: (a, b) => titleOf(a).localeCompare(titleOf(b)) },
};

export function groupsView(root, ctx, opened = null) {
  let groups = [];
  let gone = false;
  let page = null; // of one group, while it is open
  const merging = new Set();
  let wanted = "";
  let columns = []; // of rows: those that tell the groups apart

  async function load() {
    try {
      groups = await ctx.api.groups();
    } catch (error) {
      return ctx.trouble(error);
    }
    if (gone) return;
    merging.clear();
    columns = isRow(groups[0]?.members[0]) ? tellingColumns(groups.map(({ members }) => ({ exemplars: members }))) : [];
    const there = groups.find((group) => group.group === opened);
    if (there) page = groupPage(root, ctx, { group: there, groups, columns, edit, rename, changed: load });
    else draw();
  }

  // -- all of them -----------------------------------------------------------------------------

  function draw() {
    const items = groups.reduce((sum, group) => sum + group.size, 0);
    const order = ctx.settings.get("groupOrder", "size");
    const list = h("ul", { class: "group-list" });
    const find = h("input", { type: "text", class: "find-group", value: wanted, placeholder: "Find a group", "aria-label": "Find a group", autocomplete: "off", oninput: () => { wanted = find.value; rows(); } });
    const sort = h("select", { "aria-label": "Order of the groups", onchange: () => { ctx.settings.set("groupOrder", sort.value); rows(); } }, Object.entries(ORDERS).map(([name, { title }]) => h("option", { value: name, selected: name === order }, title)));
    function rows() {
      const fits = groups.filter((group) => `${group.collection.join(" ")} ${group.name} ${group.title} ${group.group}`.toLowerCase().includes(wanted.trim().toLowerCase()));
      fill(list, inCollections([...fits].sort(ORDERS[sort.value].by), row, ctx, load), !fits.length && h("li", { class: "quiet" }, "No group is called that."));
    }
    fill(
      root,
      h(
        "section",
        { class: "groups", "aria-labelledby": "groups-title" },
        h(
          "div",
          { class: "ask-line" },
          h("h1", { id: "groups-title", tabindex: "-1" }, plural(groups.length, "group")),
          h("p", { class: "quiet" }, `${plural(items, "item")} in all`),
          ctx.owns() && h("div", { class: "row-of" }, h("a", { class: "button", href: "/api/labels?format=csv", download: "groups.csv" }, "Save as CSV"), ctx.finishes && h("a", { class: "button", href: "#finish" }, "Names and files")),
        ),
        groups.length > 1 && h("div", { class: "group-search" }, find, sort),
        h("div", { class: "hints", id: "hints" }),
        h("div", { class: "merge-bar", id: "merge-bar", hidden: true }),
        list,
      ),
    );
    rows();
    ctx.announce(`${plural(groups.length, "group")}.`);
    if (ctx.owns() && groups.length > 1) suggest();
  }

  function row(group) {
    const title = titleOf(group);
    const pick = h("input", { type: "checkbox", checked: merging.has(group), onchange: (event) => toggleMerge(group, event.target.checked) });
    const dropping = {
      ondragover: (event) => {
        if (!event.dataTransfer.types.includes("text/likewise-item")) return;
        event.preventDefault();
        event.currentTarget.classList.add("drop");
      },
      ondragleave: (event) => event.currentTarget.contains(event.relatedTarget) || event.currentTarget.classList.remove("drop"),
      ondrop: (event) => {
        event.preventDefault();
        event.currentTarget.classList.remove("drop");
        const { key, from } = JSON.parse(event.dataTransfer.getData("text/likewise-item"));
        if (from !== group.group) edit("move", { items: [key], into: group.members[0].key }, `Moved to ${title}.`);
      },
    };
    return h(
      "li",
      { class: "group", "data-group": String(group.group), ...(ctx.owns() ? dropping : {}) },
      h(
        "div",
        { class: "group-head", ...(ctx.owns() ? dragging(group) : {}) },
        h("h2", {}, title),
        h("span", { class: "quiet" }, `${group.name || !group.title ? "" : `group ${group.group} · `}${plural(group.size, "item")}, ${group.known} by answers · ${percent(group.confidence)} sure`),
        h(
          "div",
          { class: "group-tools" },
          ctx.owns() && h("button", { type: "button", onclick: () => rename(group) }, "Rename", h("span", { class: "unseen" }, ` ${title}`)),
          h("button", { type: "button", onclick: () => ctx.go("groups", group.group) }, "Open", h("span", { class: "unseen" }, ` ${title}`)),
          ctx.owns() && h("button", { type: "button", onclick: () => collectDialog(ctx, group, groups, load) }, "Collection", h("span", { class: "unseen" }, ` of ${title}`)),
          ctx.owns() && h("label", { class: "check" }, pick, "Merge", h("span", { class: "unseen" }, ` ${title}`)),
        ),
      ),
      h("div", { class: "strip wide", onclick: () => ctx.go("groups", group.group) }, group.members.map((card) => dragged(card, group)), group.size > group.members.length && h("span", { class: "more" }, `+${group.size - group.members.length}`)),
    );
  }

  function dragged(card, group) {
    const shown = small(card, ctx.api, undefined, columns);
    if (!ctx.owns()) return shown;
    shown.setAttribute("draggable", "true");
    shown.addEventListener("dragstart", (event) => {
      event.dataTransfer.setData("text/likewise-item", JSON.stringify({ key: card.key, from: group.group }));
      event.dataTransfer.effectAllowed = "move";
    });
    return shown;
  }

  // -- names ---------------------------------------------------------------------------------

  function rename(group) {
    ctx.ask({ title: `A name for ${titleOf(group)}`, value: group.name, label: "Name", action: "Keep the name" }).then(async (name) => {
      if (name === null) return;
      try {
        await ctx.api.name({ item: group.members[0].key, name, annotator: ctx.person() });
        ctx.done(name ? `Named “${name}”.` : "The name is gone.");
      } catch (error) {
        return ctx.trouble(error);
      }
      load();
    });
  }

  // -- merging -------------------------------------------------------------------------------

  function toggleMerge(group, on) {
    if (on) merging.add(group);
    else merging.delete(group);
    const bar = document.getElementById("merge-bar");
    bar.hidden = merging.size === 0;
    const chosen = [...merging];
    if (chosen.length < 2) return fill(bar, h("span", {}, "Choose one more group to merge."));
    const named = `${chosen.slice(0, -1).map(titleOf).join(", ")} and ${titleOf(chosen.at(-1))}`;
    fill(bar, h("span", {}, `Make one group of ${named}?`), h("button", { type: "button", class: "primary", onclick: () => merge(chosen) }, "Merge them"));
  }

  async function merge(chosen) {
    const items = chosen.map((group) => group.members[0].key);
    await edit("merge", { items }, chosen.length === 2 ? `Merged ${titleOf(chosen[0])} and ${titleOf(chosen[1])}.` : `Merged ${chosen.length} groups.`);
  }

  // Groups that may be one: one look at both strips settles it.
  async function suggest() {
    let hints;
    let study;
    try {
      [hints, study] = await Promise.all([ctx.api.merges(), ctx.api.study()]);
    } catch {
      return; // it was only a hint
    }
    const box = document.getElementById("hints");
    if (gone || page || !box) return;
    fill(
      box,
      hints.slice(0, 2).map(({ groups: two, reason }) =>
        h(
          "section",
          { class: "hint", "aria-label": "Are these two groups one?" },
          h("h2", {}, "Are these two one?"),
          h("p", { class: "quiet" }, `${reason[0].toUpperCase()}${reason.slice(1)}.`),
          two.map((group) => h("div", { class: "hint-group" }, h("strong", {}, titleOf(group)), h("span", { class: "quiet" }, plural(group.size, "item")), h("div", { class: "strip" }, group.members.map((card) => small(card, ctx.api, undefined, columns))))),
          h(
            "div",
            { class: "row-of" },
            h("button", { type: "button", class: "primary", onclick: () => merge(two) }, "Yes, make them one"),
            h("button", { type: "button", onclick: () => keepApart(study, two) }, "No, they differ"),
          ),
        ),
      ),
    );
  }

  async function keepApart(study, [one, other]) {
    const question = [study.study, one.members[0].key, other.members[0].key].join(".");
    await ctx.queue.send("answer", { question, verdict: "different", annotator: ctx.person() }, `That ${titleOf(one)} and ${titleOf(other)} differ`);
    ctx.done("Kept: they differ.");
    load();
  }

  async function edit(kind, body, done) {
    const made = await edited(ctx, kind, body, done);
    if (made) load();
    return made;
  }

  fill(root, h("section", { class: "empty" }, spinner("Grouping the items…")));
  load();
  return {
    act(action, event) {
      if (action === "undo") {
        ctx.undo().then((changed) => changed && !gone && load());
        return true;
      }
      return page?.act(action, event) ?? false;
    },
    close: () => (gone = true),
  };
}
