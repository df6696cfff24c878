// The start page: which pile, what should count, and watching it being read.

import { call } from "./api.js";
import { chooseView } from "./choose.js";
import { fill, h, inWords, plural } from "./dom.js";
import { settleView } from "./settle.js";

const POLL = 300; // milliseconds between two looks at how far reading is
const main = document.getElementById("main");
const live = document.getElementById("live");
let timer = null;

const ctx = {
  say: (text) => (live.textContent = text),
  get: (path, values = {}) => call("GET", `/api/start${path}?${new URLSearchParams(values)}`),
  post: (path, body = {}) => call("POST", `/api/start${path}`, body),
  choose: (trouble = "") => chooseView(main, ctx, trouble),
  settle: (pile) => settleView(main, ctx, pile),
  // Reading has begun; from now on the page shows how far it is.
  watch,
};

async function watch() {
  clearTimeout(timer);
  let found;
  try {
    found = await ctx.get("");
  } catch (error) {
    // The server has ended, or ends soon; what was last said stays.
    if (error.status === undefined) return (timer = setTimeout(watch, 4 * POLL));
    return fill(main, h("section", { class: "start-card" }, h("h1", {}, error.message)));
  }
  if (found.state === "choosing" || found.state === "stopped") return ctx.choose();
  if (found.state === "failed") return failed(found);
  if (found.state === "ready") return ready(found);
  drawReading(found);
  timer = setTimeout(watch, POLL);
}

// -- reading -----------------------------------------------------------------------------------

let parts = null;

function drawReading(found) {
  if (!parts?.root.isConnected) {
    const bar = h("progress", { "aria-label": "Reading" });
    const count = h("p", { class: "reading-count" });
    const title = h("h1", { tabindex: "-1" });
    const notes = h("ul", { class: "reading-notes" });
    const stop = h("button", { type: "button", onclick: stopReading }, "Stop, and choose something else");
    const root = h("section", { class: "start-card reading", "aria-labelledby": "reading-title" }, title, bar, count, notes, h("p", { class: "row-of" }, stop));
    title.id = "reading-title";
    parts = { root, bar, count, title, notes, stop };
    fill(main, root);
    title.focus({ preventScroll: true });
  }
  const thinking = found.state === "thinking";
  parts.title.textContent = thinking ? "Looking for the first question…" : `Reading ${found.name}…`;
  parts.stop.hidden = !found.chooses;
  if (found.done > 0 && !thinking) {
    parts.bar.max = found.of;
    parts.bar.value = found.done;
  } else parts.bar.removeAttribute("value"); // it moves, and promises nothing
  parts.count.textContent = thinking ? found.sentence : countOf(found);
  fill(parts.notes, found.notes.map((note) => h("li", {}, note)));
}

function countOf({ done, of, seconds_left: left }) {
  if (of === 0) return "Looking through the files…";
  if (done === 0) return `${plural(of, "item")} · getting ready to compare them…`;
  const time = done === of ? " · comparing them" : left === null ? "" : ` · ${inWords(left)} left`;
  return `${done.toLocaleString("en")} of ${plural(of, "item")}${time}`;
}

async function stopReading() {
  clearTimeout(timer);
  try {
    await ctx.post("/stop");
  } catch (error) {
    return watch();
  }
  ctx.choose();
}

function failed(found) {
  if (found.chooses) return stopped(found.sentence);
  fill(main, h("section", { class: "start-card" }, h("h1", {}, `${found.name} could not be read`), h("p", { class: "trouble", role: "alert" }, found.sentence), h("p", { class: "quiet" }, "The terminal says the same; mend it and start likewise again.")));
}

async function stopped(sentence) {
  await ctx.post("/stop").catch(() => null);
  ctx.choose(sentence);
}

// What was noticed is read before the first question; with nothing to say, it comes at once.
function ready(found) {
  const go = () => location.replace("/");
  if (found.notes.length === 0) return go();
  const begin = h("button", { type: "button", class: "primary", onclick: go }, "Begin");
  fill(
    main,
    h("section", { class: "start-card", "aria-labelledby": "ready-title" }, h("h1", { id: "ready-title" }, `${found.name} is ready`), h("p", { class: "lead" }, `${found.sentence}.`), h("ul", { class: "reading-notes" }, found.notes.map((note) => h("li", {}, `${note}.`))), h("p", { class: "row-of" }, begin)),
  );
  ctx.say(`${found.name} is ready.`);
  begin.focus();
}

watch();
