// The page: which view is shown, what all views share.

import { httpApi } from "./api.js";
import { checkView } from "./check.js";
import { askText, confirmText, showHelp } from "./dialogs.js";
import { fill, h, inWords, plural } from "./dom.js";
import { finishView } from "./finish.js";
import { groupsView } from "./groups.js";
import { actionOf, hint, isOwn } from "./keys.js";
import { mapView } from "./map.js";
import { progressView } from "./progress.js";
import { questionView } from "./question.js";
import { createQueue } from "./queue.js";
import { createReports } from "./reports.js";
import { reviewView } from "./review.js";
import { settings } from "./settings.js";
import { showStack } from "./stacks.js";
import { notKept, safe, troubleOf, undone } from "./troubles.js";
import { showViews } from "./views.js";

const VIEWS = {
  answer: { title: "Answer", open: questionView },
  groups: { title: "Groups", open: groupsView },
  map: { title: "Map", open: mapView },
  check: { title: "Check", open: checkView },
  review: { title: "Review", open: reviewView },
  progress: { title: "Progress", open: progressView },
  finish: { title: "Finish", open: finishView, hidden: true },
};

const main = document.getElementById("main");
const live = document.getElementById("live");
const noticeBox = document.getElementById("notice");
const reports = createReports(document.getElementById("reports"));
let current = null;
let currentName = null;
let study = null;
let noticeTimer = null;
let readingTimer = null;
let views = [];

// Who was invited answers under the name on the invitation, anybody else under one they choose.
const person = () => study?.person || settings.get("person", "me");
const owns = () => study?.role !== "answerer";

const queue = createQueue(httpApi, {
  pile: () => study?.name ?? "",
  onState: ({ error, waiting }) => (error ? ctx.trouble(error, waiting) : ctx.online()),
  onDropped: (entry, error) => reports.add(notKept(entry.about, error)),
  onAway: (entries) => reports.away(entries),
});

const ctx = {
  api: httpApi,
  finishes: true, // there is a view for the end
  queue,
  settings,
  person,
  owns,
  leaseSeconds: () => study?.lease_seconds ?? 60,
  announce: (text) => (live.textContent = text),
  notice(text, lasting = false) {
    clearTimeout(noticeTimer);
    delete noticeBox.dataset.step;
    fill(noticeBox, text);
    noticeBox.hidden = false;
    if (!lasting) noticeTimer = setTimeout(() => (noticeBox.hidden = true), 5000);
  },
  // An edit was made: it can be taken back until something else is done.
  done(text) {
    ctx.notice(text, true);
    noticeBox.dataset.step = "last";
    noticeBox.append(h("button", { type: "button", class: "undo", onclick: undoHere }, "Undo", hint("undo") && h("kbd", { "aria-hidden": "true" }, hint("undo"))));
  },
  // Something else was done: what could be taken back is no longer the last step.
  passed() {
    if (noticeBox.dataset.step) noticeBox.hidden = true;
  },
  // Takes back whatever this person did last; resolves with whether there was anything.
  async undo() {
    try {
      ctx.notice(undone(await httpApi.undo({ annotator: person(), study: study?.study })));
    } catch (error) {
      if (error.status === 422) ctx.notice("There is nothing of yours to take back.");
      else ctx.trouble(error);
      return false;
    }
    ctx.progress();
    return true;
  },
  online() {
    if (document.body.classList.contains("offline")) {
      document.body.classList.remove("offline");
      ctx.notice(reports.empty && !queue.length ? "Connected again; everything is kept." : "Connected again.");
    }
  },
  // Lasting where nothing goes on without the server; else a word in passing.
  trouble(error, waiting = queue.length) {
    const lasting = error.status === undefined || waiting > 0 || [401, 403, 421, 429].includes(error.status);
    document.body.classList.toggle("offline", lasting);
    ctx.notice(troubleOf(error) + safe(waiting), lasting);
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
    queue.arrive(study.study);
    drawTop();
    sayOnce();
    // Who looks at one question for long is told, too, how far the reading of the others is.
    clearTimeout(readingTimer);
    if (study.reading) readingTimer = setTimeout(ctx.progress, 3000);
  },
};

// -- the top of the page -----------------------------------------------------------------------

// Of a pile of which a sample is asked about first: how far the reading of the others is.
function stillRead({ reading, items }) {
  if (!reading || reading.of === 0) return "";
  const time = reading.seconds_left === null ? "" : `, ${inWords(reading.seconds_left)} left`;
  return `${items.toLocaleString("en")} of ${reading.of.toLocaleString("en")}${time}`;
}

function drawTop() {
  // Of a long name the end may go, of the time that is left nothing.
  fill(document.getElementById("pile"), study ? [h("span", { class: "pile-name" }, study.name), h("span", { class: "pile-reading" }, stillRead(study))] : []);
  document.title = study ? `${study.name} · likewise` : "likewise";
  fill(
    document.getElementById("tabs"),
    Object.entries(VIEWS).filter(([name, { hidden }]) => !hidden && (name !== "check" || owns()) && (name !== "review" || study?.reviews || currentName === name)).map(([name, { title }]) => {
      const [count, what] = { check: [study?.disputes, "contradictions"], review: [study?.reviews, "to review"] }[name] ?? [0];
      return h(
        "a",
        { href: `#${name}`, "aria-current": name === currentName ? "page" : undefined },
        title,
        count > 0 && h("span", { class: "badge" }, String(count), h("span", { class: "unseen" }, ` ${what}`)),
      );
    }),
  );
  const placed = study && study.progress.right !== null ? ` · ≈ ${Math.round(100 * study.progress.right)} % right` : "";
  fill(
    document.getElementById("tools"),
    study && h("a", { class: "tally", href: "#progress", title: study.advice.sentence }, `${plural(study.answers, "answer")} · ${plural(study.groups, "group")}${placed}`),
    h("button", { type: "button", class: "tool", onclick: askPerson, disabled: !owns(), title: "Who is answering" }, h("span", { class: "unseen" }, "Answering as "), person()),
    views.length > 1 && owns() && h("button", { type: "button", class: "tool", onclick: whatCounts, title: "What items are compared by" }, "What counts"),
    h("button", { type: "button", class: "tool", onclick: help, "aria-label": "Keys and settings" }, "?"),
  );
}

// That one may stop is said once, where somebody answers, and takes no question from under their
// hands; later the card is found under Progress.
function sayOnce() {
  const told = settings.get("told", []);
  if (!study.advice.may_stop || currentName !== "answer" || told.includes(study.study)) return;
  settings.set("told", [...told, study.study].slice(-50));
  ctx.notice("You may stop here.", true);
  noticeBox.append(
    h("button", { type: "button", class: "undo", onclick: () => ctx.go("finish") }, "See the result"),
    h("button", { type: "button", class: "close", "aria-label": "Go on answering", onclick: () => (noticeBox.hidden = true) }, "✕"),
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

// By what items are compared, where there is more than one thing; asked for once.
async function findViews() {
  try {
    views = await httpApi.views();
  } catch {
    return;
  }
  if (views.length > 1) drawTop();
}

async function whatCounts() {
  await findViews();
  showViews(views, {
    api: httpApi,
    study: study?.study,
    person: person(),
    changed: () => {
      show();
      ctx.progress();
    },
    trouble: ctx.trouble,
  });
}

const help = () => showHelp(() => currentName === "answer" && show());

function undoHere() {
  noticeBox.hidden = true;
  if (!current?.act("undo")) undoAnywhere();
}

async function undoAnywhere() {
  if (await ctx.undo()) show();
}

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
  if (!document.body.classList.contains("offline")) noticeBox.hidden = true;
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
  if (action !== null || isOwn(event)) {
    if (current?.act(action, event)) event.preventDefault();
    else if (action === "undo") {
      event.preventDefault();
      undoAnywhere();
    }
  }
});

addEventListener("likewise-stack", ({ detail }) => showStack(detail, ctx));

async function begin() {
  await ctx.progress();
  if (study?.shared && !study.person && !settings.get("person")) {
    const name = await askText({ title: "Welcome", label: "Your name", action: "Begin", note: "It is kept with your answers. Others do not see what you say." });
    settings.set("person", name || `guest-${Math.random().toString(36).slice(2, 6)}`);
  }
  show();
  findViews();
}

begin();
