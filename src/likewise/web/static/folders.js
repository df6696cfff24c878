// The groups as folders on this computer: what would be written where, then writing it.

import { fill, h, plural } from "./dom.js";

const LISTED = 12; // groups of the preview that are seen at once

export function foldersPanel(ctx) {
  const root = h("section", { class: "folders", "aria-labelledby": "folders-title", hidden: true });
  const field = h("input", { type: "text", id: "folders-to", autocomplete: "off", spellcheck: "false", maxlength: "4096", oninput: () => later(), onkeydown: (event) => event.key === "Enter" && write() });
  const trouble = h("p", { class: "trouble", role: "alert" });
  const preview = h("div", { class: "folder-preview" });
  const button = h("button", { type: "button", class: "primary", onclick: () => write() });
  const ways = h("div", { class: "row-of", role: "radiogroup", "aria-label": "Copies or links" });
  let how = "copy";
  let plan = null;
  let timer = null;
  let asked = 0;

  function later() {
    clearTimeout(timer);
    button.disabled = true;
    timer = setTimeout(() => look(field.value.trim()), 250);
  }

  async function look(to) {
    const number = ++asked;
    try {
      const found = await ctx.api.folders(to || undefined);
      if (number !== asked) return;
      plan = found;
    } catch (error) {
      if (number !== asked) return;
      if (error.status === 403 || error.status === 404) return (root.hidden = true); // not at this computer, or no files
      trouble.textContent = error.status === 422 ? error.message : "";
      if (error.status !== 422) ctx.trouble(error);
      return;
    }
    if (!to) field.value = plan.to;
    root.hidden = false;
    draw();
  }

  function draw() {
    const pictures = plan.noun === "picture";
    trouble.textContent = plan.trouble;
    button.disabled = plan.trouble !== "";
    fill(button, !pictures ? "Write the files" : how === "copy" ? "Copy into folders" : "Link into folders");
    ways.hidden = !pictures;
    const shown = plan.groups.slice(0, LISTED);
    fill(
      preview,
      h("p", {}, pictures ? `${plural(plan.files, "picture")} in ${plural(plan.groups.length, "folder")}:` : `${plural(plan.files, "file")}, one per group:`),
      h("ul", {}, shown.map(line), plan.groups.length > LISTED && h("li", { class: "quiet" }, `and ${plan.groups.length - LISTED} more`)),
    );
  }

  function line(group) {
    const named = group.examples.join(", ") + (group.files > group.examples.length ? " …" : "");
    return h("li", {}, h("strong", {}, group.name), ` ${plural(group.size, plan.noun)} `, group.examples.length > 0 && h("span", { class: "quiet" }, named));
  }

  async function write() {
    if (button.disabled) return;
    button.disabled = true;
    fill(button, h("span", { class: "dots", "aria-hidden": "true" }), "Writing…");
    try {
      const made = await ctx.api.writeFolders({ to: field.value.trim(), how });
      const done = `Done: ${plural(made.files, "file")} in ${made.to}`;
      fill(preview, h("p", { class: "done", tabindex: "-1" }, done));
      ctx.announce(done);
      fill(button, "Written");
    } catch (error) {
      draw();
      if (error.status === 422) trouble.textContent = error.message;
      else ctx.trouble(error);
    }
  }

  const way = (name, label) => h("label", { class: "check" }, h("input", { type: "radio", name: "folders-how", checked: how === name, onchange: () => { how = name; draw(); } }), label);
  fill(ways, way("copy", "copies"), way("link", "links to the originals"));
  fill(
    root,
    h("h2", { id: "folders-title" }, "Sort into folders"),
    h("label", { for: "folders-to" }, "In a new folder on this computer; nothing is ever overwritten"),
    h("div", { class: "folder-line" }, field, button),
    trouble,
    ways,
    preview,
  );
  look("");
  // Names of groups are names of folders: whoever changes one has the preview drawn again.
  return { root, refresh: () => look(field.value.trim()) };
}
