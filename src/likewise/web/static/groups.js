// The groups: look at them, name them, merge and split them, send away what does not belong.

import { small } from "./cards.js";
import { fill, h, percent, plural, spinner } from "./dom.js";
import { confirmAgainst } from "./said.js";

const PAGE = 60; // members shown at a time

export const titleOf = (group) => group.name || `Group ${group.group}`;

export function groupsView(root, ctx, opened = null) {
  let groups = [];
  let gone = false;
  const merging = new Set();

  async function load() {
    try {
      groups = await ctx.api.groups();
    } catch (error) {
      return ctx.trouble(error);
    }
    if (gone) return;
    merging.clear();
    draw();
    if (opened !== null) open(opened);
    opened = null;
  }

  function draw() {
    const items = groups.reduce((sum, group) => sum + group.size, 0);
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
          ctx.owns() && h("a", { class: "button", href: "/api/labels?format=csv", download: "groups.csv" }, "Save as CSV"),
          ctx.owns() && ctx.finishes && h("a", { class: "button", href: "#finish" }, "Sort into folders…"),
        ),
        h("div", { class: "merge-bar", id: "merge-bar", hidden: true }),
        h("ul", { class: "group-list" }, groups.map(row)),
      ),
    );
    ctx.announce(`${plural(groups.length, "group")}.`);
  }

  function row(group) {
    const title = titleOf(group);
    const pick = h("input", { type: "checkbox", onchange: (event) => toggleMerge(group, event.target.checked) });
    return h(
      "li",
      { class: "group", "data-group": String(group.group) },
      h(
        "div",
        { class: "group-head" },
        h("h2", {}, title),
        h("span", { class: "quiet" }, `${plural(group.size, "item")}, ${group.known} by answers · ${percent(group.confidence)} sure`),
        h(
          "div",
          { class: "group-tools" },
          ctx.owns() && h("button", { type: "button", onclick: () => rename(group) }, "Rename", h("span", { class: "unseen" }, ` ${title}`)),
          h("button", { type: "button", onclick: () => open(group.group) }, "Open", h("span", { class: "unseen" }, ` ${title}`)),
          ctx.owns() && h("label", { class: "check" }, pick, "Merge", h("span", { class: "unseen" }, ` ${title}`)),
        ),
      ),
      h("div", { class: "strip wide", onclick: () => open(group.group) }, group.members.map((card) => small(card, ctx.api)), group.size > group.members.length && h("span", { class: "more" }, `+${group.size - group.members.length}`)),
    );
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
    const [one, other] = merging;
    bar.hidden = merging.size === 0;
    if (merging.size === 2) {
      fill(bar, h("span", {}, `Make one group of ${titleOf(one)} and ${titleOf(other)}?`), h("button", { type: "button", class: "primary", onclick: () => merge(one, other) }, "Merge them"));
    } else fill(bar, h("span", {}, merging.size === 1 ? "Choose one more group to merge." : "Choose two groups, not more."));
  }

  async function merge(one, other) {
    const items = [one.members[0].key, other.members[0].key];
    await edit("merge", { items }, `Merged ${titleOf(one)} and ${titleOf(other)}.`);
  }

  // An edit that answers speak against is offered again, with those answers taken back.
  async function edit(kind, body, done) {
    const whole = { ...body, annotator: ctx.person() };
    try {
      await ctx.api[kind](whole);
    } catch (error) {
      if (!error.against?.length) return ctx.trouble(error);
      if (!(await confirmAgainst(ctx, error))) return;
      try {
        await ctx.api[kind]({ ...whole, force: true });
      } catch (second) {
        return ctx.trouble(second);
      }
    }
    ctx.done(done);
    load();
  }

  // -- one group -----------------------------------------------------------------------------

  async function open(number) {
    const picked = new Set();
    const list = h("ul", { class: "members" });
    const more = h("button", { type: "button", onclick: () => load() }, "Show more");
    const away = h("button", { type: "button", disabled: true, onclick: () => act("notHere", "They do not belong there; questions will follow.") }, "Does not belong");
    const apart = h("button", { type: "button", disabled: true, onclick: () => act("split", "They are a group of their own now.") }, "Make a group of these");
    const title = h("h2", { id: "group-title" }, "…");
    const dialog = h(
      "dialog",
      { class: "sheet", "aria-labelledby": "group-title", onclose: () => dialog.remove() },
      h("div", { class: "sheet-head" }, title, h("button", { type: "button", class: "close", "aria-label": "Close", onclick: () => dialog.close() }, "✕")),
      ctx.owns() && h("p", { class: "quiet" }, "Pick some of them, then say what to do."),
      list,
      more,
      ctx.owns() && h("div", { class: "sheet-foot" }, away, apart),
    );
    let shown = 0;
    async function load() {
      let group;
      try {
        group = await ctx.api.group(number, shown, PAGE);
      } catch (error) {
        dialog.close();
        return ctx.trouble(error);
      }
      title.textContent = `${titleOf(group)} · ${plural(group.size, "item")}`;
      list.append(...group.members.map(member));
      shown += group.members.length;
      more.hidden = shown >= group.size || !group.members.length;
    }
    function member(card) {
      const box = h("input", {
        type: "checkbox",
        onchange: (event) => {
          if (event.target.checked) picked.add(card.key);
          else picked.delete(card.key);
          away.disabled = apart.disabled = picked.size === 0;
        },
      });
      return h("li", {}, h("label", { class: "member" }, ctx.owns() && box, small(card, ctx.api), h("span", { class: "member-name", title: card.id }, card.picture ? card.id.split("/").at(-1) : card.id)));
    }
    async function act(kind, done) {
      const items = [...picked];
      dialog.close();
      await edit(kind, { items }, done);
    }
    document.body.append(dialog);
    dialog.showModal();
    await load();
  }

  fill(root, h("section", { class: "empty" }, spinner("Grouping the items…")));
  load();
  return {
    act(action) {
      if (action !== "undo") return false;
      ctx.undo().then((changed) => changed && !gone && load());
      return true;
    },
    close: () => (gone = true),
  };
}
