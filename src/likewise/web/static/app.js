// The page: which view is shown, what all views share.

import { httpApi } from "./api.js";
import { checkView } from "./check.js";
import { askText, confirmText, showHelp } from "./dialogs.js";
import { fill, h, plural } from "./dom.js";
import { groupsView } from "./groups.js";
import { actionOf } from "./keys.js";
import { mapView } from "./map.js";
import { progressView } from "./progress.js";
import { questionView } from "./question.js";
import { createQueue } from "./queue.js";
import { settings } from "./settings.js";

const VIEWS = {
  answer: { title: "Answer", open: questionView },
  groups: { title: "Groups", open: groupsView },
  map: { title: "Map", open: mapView },
  check: { title: "Check", open: checkView },
  progress: { title: "Progress", open: progressView },
};

const main = document.getElementById("main");
const live = document.getElementById("live");
const noticeBox = document.getElementById("notice");
let current = null;
let currentName = null;
let study = null;
let noticeTimer = null;

const person = () => settings.get("person", "me");

const queue = createQueue(httpApi, {
  onState: ({ offline, waiting }) => (offline ? ctx.offline(waiting) : ctx.online()),
});

const ctx = {
  api: httpApi,
  queue,
  settings,
  person,
  leaseSeconds: () => study?.lease_seconds ?? 60,
  announce: (text) => (live.textContent = text),
  notice(text, lasting = false) {
    clearTimeout(noticeTimer);
    noticeBox.textContent = text;
    noticeBox.hidden = false;
    if (!lasting) noticeTimer = setTimeout(() => (noticeBox.hidden = true), 5000);
  },
  online() {
    if (document.body.classList.contains("offline")) {
      document.body.classList.remove("offline");
      ctx.notice("Connected again; everything is kept.");
    }
  },
  offline(waiting = queue.length) {
    document.body.classList.add("offline");
    const safe = waiting ? ` ${plural(waiting, "answer")} wait${waiting === 1 ? "s" : ""} safely in this browser.` : "";
    ctx.notice(`No connection; trying again.${safe}`, true);
  },
  trouble(error) {
    if (error.status === undefined) return ctx.offline();
    ctx.notice(error.message);
  },
  go(name, detail) {
    location.hash = detail === undefined ? name : `${name}/${detail}`;
  },
  ask: askText,
  confirm: confirmText,
  async progress() {
    try {
      study = await httpApi.study();
    } catch {
      return;
    }
    drawTop();
  },
};

// -- the top of the page -----------------------------------------------------------------------

function drawTop() {
  document.getElementById("pile").textContent = study ? study.name : "";
  document.title = study ? `${study.name} · likewise` : "likewise";
  fill(
    document.getElementById("tabs"),
    Object.entries(VIEWS).map(([name, { title }]) => {
      const count = name === "check" && study?.disputes ? study.disputes : 0;
      return h(
        "a",
        { href: `#${name}`, "aria-current": name === currentName ? "page" : undefined },
        title,
        count > 0 && h("span", { class: "badge" }, String(count), h("span", { class: "unseen" }, " contradictions")),
      );
    }),
  );
  const placed = study && study.progress.right !== null ? ` · about ${Math.round(100 * study.progress.right)} % right` : "";
  fill(
    document.getElementById("tools"),
    study && h("a", { class: "tally", href: "#progress", title: study.advice.sentence }, `${plural(study.answers, "answer")} · ${plural(study.groups, "group")}${placed}`),
    h("button", { type: "button", class: "tool", onclick: askPerson, title: "Who is answering" }, h("span", { class: "unseen" }, "Answering as "), person()),
    h("button", { type: "button", class: "tool", onclick: help, "aria-label": "Keys and settings" }, "?"),
  );
}

async function askPerson() {
  const name = await askText({ title: "Who is answering?", label: "Your name", value: settings.get("person", ""), action: "Go on", note: "It is kept with your answers. Others do not see what you say." });
  if (name) {
    settings.set("person", name);
    drawTop();
    show();
  }
}

const help = () => showHelp(() => currentName === "answer" && show());

// -- which view --------------------------------------------------------------------------------

function show() {
  const [name, detail] = location.hash.slice(1).split("/");
  currentName = name in VIEWS ? name : "answer";
  current?.close();
  drawTop();
  current = VIEWS[currentName].open(main, ctx, detail === undefined ? null : Number(detail));
  document.body.dataset.view = currentName;
}

addEventListener("hashchange", () => {
  if (location.hash === "#main") return;
  show();
  // Whoever moves by keyboard or hears the page begins at the new view.
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
});

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
  const action = actionOf(event);
  if (action === "help") {
    event.preventDefault();
    return help();
  }
  if (event.repeat) return;
  if (action !== null || /^[1-9]$/.test(event.key)) {
    if (current?.act(action, event)) event.preventDefault();
  }
});

addEventListener("online", () => queue.flush().catch(() => {}));

async function begin() {
  await ctx.progress();
  if (study?.shared && !settings.get("person")) {
    const name = await askText({ title: "Welcome", label: "Your name", action: "Begin", note: "It is kept with your answers. Others do not see what you say." });
    settings.set("person", name || `guest-${Math.random().toString(36).slice(2, 6)}`);
  }
  show();
}

begin();
