// Which pile: recent ones, a typed path, folders of this computer, or something dropped here.

import { fill, h, plural } from "./dom.js";

const ENOUGH = 20; // files of a dropped folder that show which one it is

export function chooseView(root, ctx, trouble = "") {
  const problem = h("p", { class: "trouble", role: "alert" }, trouble);
  const field = h("input", { type: "text", id: "path", autocomplete: "off", spellcheck: "false", maxlength: "4096", placeholder: "/home/me/photos" });
  const place = h("div", { class: "place-list" });
  const recent = h("div", { class: "recent" });
  let here = "";
  let acts = 0; // what was asked for: what was asked before the latest says nothing more
  let opening = ""; // the folder whose list is still to come: who chooses "this folder" means that one

  const section = h(
    "section",
    { class: "start-card choose", "aria-labelledby": "start-title" },
    h("h1", { id: "start-title", tabindex: "-1" }, "What would you like to sort?"),
    h("p", { class: "lead" }, "A folder of photographs, a file of texts or a table, on this computer. Nothing leaves it."),
    problem,
    recent,
    h("form", { class: "path-line", onsubmit: (event) => { event.preventDefault(); look(field.value); } }, h("label", { for: "path" }, "Its path, typed or pasted"), h("div", { class: "folder-line" }, field, h("button", { type: "submit", class: "primary" }, "Open"))),
    h("h2", {}, "Or choose"),
    place,
    h("p", { class: "quiet drop-hint" }, "Or drop a folder or file anywhere here: it stays where it is, only its name is looked for."),
  );

  async function look(path) {
    if (!path.trim()) return tell("Type a path, or choose below.");
    tell("");
    const act = ++acts;
    section.classList.add("busy");
    try {
      const pile = await ctx.get("/look", { path });
      if (act === acts) ctx.settle(pile);
    } catch (error) {
      if (act === acts) tell(error.message);
    }
    if (act === acts) section.classList.remove("busy");
  }

  function tell(sentence) {
    problem.textContent = sentence;
    if (sentence) problem.scrollIntoView({ block: "nearest" });
  }

  async function open(path, then = null) {
    const act = path ? ++acts : acts; // the first list is nobody's doing
    opening = path;
    section.classList.remove("busy");
    let found;
    try {
      found = await ctx.get("/folder", { path });
    } catch (error) {
      if (act === acts) tell(error.message);
      return;
    } finally {
      if (opening === path) opening = "";
    }
    if (path && act === acts) tell(""); // why one is here again stays, and what is said of a pile chosen meanwhile
    here = found.path;
    drawPlace(found);
    if (then !== null && act === acts) place.querySelector(then)?.focus();
  }

  const join = (folder, name) => (folder.endsWith("/") || folder.endsWith("\\") ? folder + name : folder + (folder.includes("\\") ? "\\" : "/") + name);

  function drawPlace(found) {
    const entry = (kind, name, act, detail = "") => h("li", {}, h("button", { type: "button", class: `entry ${kind}`, onclick: act }, h("span", { class: "entry-name" }, name), detail && h("span", { class: "quiet" }, detail)));
    fill(
      place,
      h("div", { class: "place-head" }, h("button", { type: "button", class: "up", disabled: found.parent === "", onclick: () => open(found.parent, ".entry") }, "Up"), h("strong", { class: "place-path", title: found.path }, found.path), found.pictures > 0 && h("button", { type: "button", class: "primary this-folder", onclick: () => look(opening || found.path) }, `Choose this folder (${plural(found.pictures, "picture")})`), found.pictures === 0 && h("button", { type: "button", class: "this-folder", onclick: () => look(opening || found.path) }, "Choose this folder")),
      h(
        "ul",
        { class: "entries", "aria-label": "Folders and files" },
        found.folders.map((name) => entry("folder", name, () => open(join(found.path, name), ".this-folder"))),
        found.files.map((name) => entry("file", name, () => look(join(found.path, name)))),
        found.folders.length + found.files.length === 0 && h("li", { class: "quiet" }, found.pictures ? "Only pictures." : "Nothing here that likewise reads."),
      ),
      found.others > 0 && h("p", { class: "quiet" }, `${plural(found.others, "more entry", "more entries")} not listed: hidden ones, links, and files of other kinds.`),
    );
  }

  async function drawRecent() {
    const piles = await ctx.get("/recent").catch(() => []);
    if (piles.length === 0) return;
    fill(recent, h("h2", {}, "Go on with"), h("ul", { class: "entries" }, piles.slice(0, 6).map((pile) => h("li", {}, h("button", { type: "button", class: "entry", title: pile.path, onclick: () => look(pile.path) }, h("span", { class: "entry-name" }, pile.name), h("span", { class: "quiet" }, `${pile.summary} · ${pile.folder}`))))));
  }

  // -- dropping ------------------------------------------------------------------------------

  async function dropped(event) {
    event.preventDefault();
    document.body.classList.remove("dropping");
    const typed = event.dataTransfer.getData("text/uri-list") || event.dataTransfer.getData("text/plain");
    const entry = event.dataTransfer.items[0]?.webkitGetAsEntry?.() ?? null;
    if (entry === null) return typed ? look(typed.split("\n")[0]) : tell("That is no folder or file.");
    const files = entry.isDirectory ? await someFiles(entry) : [await fileOf(entry, entry.name)];
    try {
      const { path } = await ctx.post("/find", { name: entry.name, files: files.filter(Boolean), near: here });
      if (path) return look(path);
    } catch (error) {
      return tell(error.message);
    }
    tell(`The browser does not tell where “${entry.name}” lies, and it is not where likewise looked; find it below, or paste its path.`);
    field.focus();
  }

  function fileOf(entry, name) {
    return new Promise((resolve) => entry.file((file) => resolve({ name, size: file.size }), () => resolve(null)));
  }

  async function someFiles(folder) {
    const entries = await new Promise((resolve) => folder.createReader().readEntries(resolve, () => resolve([])));
    return Promise.all(entries.filter((one) => one.isFile).slice(0, ENOUGH).map((one) => fileOf(one, one.name)));
  }

  section.addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
  section.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
  section.addEventListener("drop", dropped);

  fill(root, section);
  ctx.say("Choose a pile.");
  drawRecent();
  open("");
}
