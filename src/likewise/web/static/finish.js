// The end: what was done and how sure it is, what to look at once more, names, files.

import { isRow, small } from "./cards.js";
import { fill, h, percent, plural, spinner } from "./dom.js";
import { foldersPanel } from "./folders.js";
import { tellingColumns } from "./telling.js";
import { titleOf } from "./titles.js";

const LOOK_AT = 12; // doubtful items
const TO_NAME = 40; // groups, the largest first
const OF_ROWS = { csv: "CSV, with the group of every row" }; // where items stand for many rows
const FILES = { csv: "CSV, with the pile's own columns", parquet: "Parquet", json: "JSON" };

export function finishView(root, ctx) {
  const folders = ctx.owns() ? foldersPanel(ctx) : null;
  let gone = false;
  let columns = []; // of rows: those that tell the groups apart

  async function load() {
    let found;
    try {
      found = await Promise.all([ctx.api.study(), ctx.api.groups(), ctx.api.unsure(LOOK_AT)]);
    } catch (error) {
      return ctx.trouble(error);
    }
    if (!gone) draw(...found);
  }

  function draw(study, groups, unsure) {
    const p = study.progress;
    columns = isRow(groups[0]?.members[0]) ? tellingColumns(groups.map(({ members }) => ({ exemplars: members }))) : [];
    fill(
      root,
      h(
        "section",
        { class: "finish", "aria-labelledby": "finish-title" },
        h("h1", { id: "finish-title", tabindex: "-1" }, study.advice.may_stop ? "You may stop here." : "So far"),
        h("p", { class: "lead" }, `${plural(p.answers, "answer")} put ${plural(study.items, "item")}${study.rows ? `, which stand for ${plural(study.rows, "row")},` : ""} into ${plural(study.groups, "group")}`, p.right === null ? "." : `; about ${percent(p.right)} are expected to be placed right.`),
        h("p", { class: "row-of" }, h("a", { class: "button", href: "#answer" }, "Go on answering"), h("a", { class: "button", href: "#progress" }, "How sure is it?")),
        unsure.length > 0 && h("h2", {}, "The least sure ones"),
        unsure.length > 0 && h("ul", { class: "members" }, unsure.map((one) => doubt(one, groups))),
        ctx.owns() && h("h2", {}, "Name the groups"),
        ctx.owns() && groups.slice(0, TO_NAME).map(named),
        ctx.owns() && groups.length > TO_NAME && h("p", { class: "quiet" }, `and ${plural(groups.length - TO_NAME, "smaller group")} under Groups`),
        ctx.owns() && h("h2", {}, "Save the result"),
        ctx.owns() && h("p", { class: "row-of" }, Object.entries(study.rows ? OF_ROWS : FILES).map(([form, label]) => h("a", { class: "button", href: `/api/export/${form}`, download: `groups.${form}` }, label))),
        folders?.root,
      ),
    );
    ctx.announce(study.advice.sentence);
  }

  function doubt({ item, group, name, confidence }, groups) {
    const title = groups.find((one) => one.group === group)?.title;
    return h("li", {}, h("a", { class: "member", href: `#groups/${group}` }, small(item, ctx.api, undefined, columns), h("span", { class: "member-name", title: item.id }, `${percent(confidence)} sure`), h("span", { class: "member-name" }, titleOf({ group, name, title }))));
  }

  function named(group) {
    const field = h("input", { type: "text", value: group.name, maxlength: "100", autocomplete: "off", placeholder: group.title || undefined, onchange: () => keep(group, field.value.trim()) });
    return h("div", { class: "finish-group" }, h("label", {}, `Group ${group.group} · ${plural(group.size, "item")}`, field), h("div", { class: "strip" }, group.members.slice(0, 6).map((card) => small(card, ctx.api, undefined, columns))));
  }

  async function keep(group, name) {
    try {
      await ctx.api.name({ item: group.members[0].key, name, annotator: ctx.person() });
    } catch (error) {
      return ctx.trouble(error);
    }
    ctx.done(name ? `Named “${name}”.` : "The name is gone.");
    folders?.refresh();
  }

  fill(root, h("section", { class: "empty" }, spinner("Looking at the result…")));
  load();
  return { act: () => false, close: () => (gone = true) };
}
