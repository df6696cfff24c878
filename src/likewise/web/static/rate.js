// How alike are these two, 1 to 10: one pair after the other, the groups that follow, how far it is.

import { call } from "./api.js";
import { isRow, pairOfCards, small } from "./cards.js";
import { askText } from "./dialogs.js";
import { fill, h, percent, plural, spinner } from "./dom.js";
import { newId } from "./queue.js";
import { rowTable } from "./rows.js";
import { settings } from "./settings.js";
import { linkedZoom } from "./zoom.js";

const MOST = 10;
const VIEWS = { rate: ["Rate", rateView], groups: ["Groups", groupsView], progress: ["Progress", progressView] };
const NOTICE = 5000; // milliseconds

const main = document.getElementById("main");
const live = document.getElementById("live");
const noticeBox = document.getElementById("notice");
const api = { picture: (card, size) => `${card.picture}?size=${size}&key=${card.key}` };
const person = () => settings.get("person", "");
let progress = null;
let current = null;
let currentName = "";
let timer = null;

function notice(text) {
  clearTimeout(timer);
  noticeBox.textContent = text;
  noticeBox.hidden = false;
  timer = setTimeout(() => (noticeBox.hidden = true), NOTICE);
}

const trouble = (error) => notice(error.status === undefined ? "The server cannot be reached; nothing is lost, try again." : `${error.message}.`);
const shareOf = (share) => (share > 0 && share < 0.1 ? `${(100 * share).toLocaleString("en", { maximumSignificantDigits: 2 })} %` : percent(share));
const money = (sum) => sum.toLocaleString("en", { maximumFractionDigits: 2 });
const expected = ({ expected_error: error }) => (error === null ? "too early to tell" : percent(error));

async function look() {
  try {
    progress = await call("GET", "/api/ratings");
  } catch (error) {
    return trouble(error);
  }
  drawTop();
}

function drawTop() {
  fill(document.getElementById("pile"), progress && h("span", { class: "pile-name" }, progress.name));
  document.title = progress ? `${progress.name} · likewise` : "likewise";
  fill(document.getElementById("tabs"), Object.entries(VIEWS).map(([name, [title]]) => h("a", { href: `#${name}`, "aria-current": name === currentName ? "page" : undefined }, title)));
  fill(
    document.getElementById("tools"),
    progress && h("a", { class: "tally", href: "#progress" }, `${plural(progress.ratings, "rating")} · ${shareOf(progress.share)} of all pairs`),
    h("button", { type: "button", class: "tool", title: "Who is rating", onclick: askPerson }, h("span", { class: "unseen" }, "Rating as "), person() || "me"),
  );
}

async function askPerson() {
  const name = await askText({ title: "Who is rating?", label: "Your name", value: person(), action: "Go on", note: "It is kept with your ratings; where several people rate a pair, the median counts." });
  if (!name) return;
  settings.set("person", name);
  show();
}

// -- rating --------------------------------------------------------------------------------------

function rateView() {
  let question = null;
  let zoom = null;
  let shownAt = 0;
  let busy = true;
  let last = "";

  async function next() {
    try {
      question = await call("GET", `/api/ratings/question?${new URLSearchParams({ annotator: person() })}`);
    } catch (error) {
      busy = false;
      return trouble(error);
    }
    if (question?.items) draw();
    else nothing();
    look();
  }

  function draw() {
    const row = isRow(question.items[0]);
    const stage = h("div", { class: row ? "pair as-rows" : "pair" }, row ? rowTable(question.items) : pairOfCards(question.items, api));
    const ratings = Array.from({ length: MOST }, (_, k) => h("button", { type: "button", class: "answer rating", onclick: () => rate(k + 1) }, String(k + 1)));
    const content = h(
      "div",
      {},
      stage,
      h("div", { class: "ratings", role: "group", "aria-label": "How alike, from 1 to 10" }, ratings),
      h("div", { class: "rating-ends", "aria-hidden": "true" }, h("span", {}, "1 · nothing in common"), h("span", {}, "as alike as can be · 10")),
    );
    zoom = linkedZoom(content);
    fill(
      main,
      h(
        "section",
        { class: "question of-rating", "aria-labelledby": "ask" },
        h("div", { class: "ask-line" }, h("h1", { id: "ask", tabindex: "-1" }, "How alike are these two, 1 to 10?"), h("p", { class: "quiet" }, question.earlier ? `rated ${question.earlier === 1 ? "once" : `${question.earlier} times`} before` : "")),
        content,
        h(
          "div",
          { class: "asides" },
          h("button", { type: "button", class: "aside", onclick: undo }, "Take back", h("kbd", { "aria-hidden": "true" }, "U")),
          h("button", { type: "button", class: "aside", onclick: () => rate(null) }, "Cannot be judged", h("kbd", { "aria-hidden": "true" }, "space")),
          h("p", { class: "last", id: "last" }, last),
        ),
      ),
    );
    shownAt = performance.now();
    busy = false;
    live.textContent = `${question.items[0].id} and ${question.items[1].id}. How alike are these two, 1 to 10?`;
  }

  function nothing() {
    question = null;
    busy = false;
    fill(main, h("section", { class: "empty" }, h("h1", { tabindex: "-1" }, "Nothing is left to rate."), h("p", { class: "row-of" }, h("a", { class: "button", href: "#groups" }, "See the groups"), h("button", { type: "button", onclick: undo }, "Take back"))));
    live.textContent = "Nothing is left to rate.";
  }

  async function rate(rating) {
    if (busy || !question) return;
    busy = true;
    const body = { items: question.items.map((card) => card.key), rating, annotator: person(), seconds: (performance.now() - shownAt) / 1000, client_id: newId() };
    try {
      await call("POST", "/api/ratings", body);
    } catch (error) {
      busy = false;
      return trouble(error);
    }
    last = rating === null ? "Kept: cannot be judged." : `Kept: ${rating} of ${MOST}.`;
    await next();
  }

  async function undo() {
    if (busy) return;
    busy = true;
    try {
      const { rating } = await call("POST", "/api/ratings/undo", { annotator: person() });
      last = rating === null ? "Took back that two cannot be judged." : `Took back a rating of ${Math.round(rating)}.`;
    } catch (error) {
      busy = false;
      return error.status === 422 ? notice("There is no rating of yours to take back.") : trouble(error);
    }
    await next();
  }

  fill(main, h("section", { class: "empty" }, spinner("Choosing two of them…")));
  next();
  return (event) => {
    if (/^[0-9]$/.test(event.key)) rate(event.key === "0" ? MOST : Number(event.key));
    else if (event.key === " " && !event.target.closest("button, a")) rate(null);
    else if (event.key.toLowerCase() === "u" || event.key === "Backspace") undo();
    else if (event.key.toLowerCase() === "z") zoom?.toggle();
    else return false;
    return true;
  };
}

// -- what came of it -----------------------------------------------------------------------------

function groupsView() {
  fill(main, h("section", { class: "empty" }, spinner("Grouping…")));
  call("GET", "/api/ratings/groups").then(
    (groups) =>
      currentName === "groups" &&
      fill(
        main,
        h(
          "section",
          { "aria-labelledby": "groups-title" },
          h("div", { class: "ask-line" }, h("h1", { id: "groups-title", tabindex: "-1" }, plural(groups.length, "group")), h("a", { class: "button", href: "/api/ratings/groups.csv", download: "groups.csv" }, "Save as CSV")),
          progress?.expected_error === null && h("p", { class: "lead" }, "Hardly more than guesses yet: there are fewer ratings than items."),
          h("ul", { class: "group-list" }, groups.map(({ group, size, members }) => h("li", { class: "group" }, h("div", { class: "group-head" }, h("h2", {}, `Group ${group}`), h("span", { class: "quiet" }, plural(size, "item"))), h("div", { class: "strip wide" }, members.map((card) => small(card, api)), size > members.length && h("span", { class: "more" }, `+${size - members.length}`))))),
        ),
      ),
    trouble,
  );
  return () => false;
}

function progressView() {
  fill(main, h("section", { class: "empty" }, spinner("Looking how far it is…")));
  look().then(() => {
    if (currentName !== "progress" || !progress) return;
    const tile = (term, figure, note) => h("div", { class: "tile" }, h("dt", {}, term), h("dd", {}, h("span", { class: "figure" }, figure), h("span", { class: "quiet" }, note)));
    fill(
      main,
      h(
        "section",
        { "aria-labelledby": "progress-title" },
        h("h1", { id: "progress-title", tabindex: "-1" }, "How far it is"),
        h("p", { class: "lead" }, sentence()),
        h(
          "dl",
          { class: "tiles" },
          tile("measured", shareOf(progress.share), `${plural(progress.rated, "pair")} of ${progress.pairs.toLocaleString("en")}`),
          tile("spent", money(progress.cost), `one rating of every pair: ${money(progress.whole_cost)}`),
          tile("error expected", expected(progress), "of the items, beside rating every pair: what the last third of the ratings has moved"),
          tile("repeated", String(progress.repeated), `pairs rated more than once; up to ${progress.repeats} ${progress.repeats === 1 ? "rating" : "ratings"} of each`),
          tile("cannot be judged", String(progress.not_judged), "pairs that nobody is shown again"),
        ),
        progress.raters.length > 0 && people(),
      ),
    );
    live.textContent = sentence();
  });
  return () => false;
}

function sentence() {
  const error = progress.expected_error;
  if (error === null) return `${plural(progress.items, "item")}: too early to tell before ${progress.items} ratings are given.`;
  if (error === 0) return "The last third of the ratings has moved no item: the groups have settled, and you may stop.";
  return `The last third of the ratings has moved ${percent(error)} of the items: go on.`;
}

function people() {
  const shown = (value, digits) => (value === null ? "–" : value.toFixed(digits));
  const columns = ["Name", "Ratings", "Cannot be judged", "Seconds each", "Apart from others"];
  return h(
    "section",
    { class: "people", "aria-labelledby": "raters" },
    h("h2", { id: "raters" }, "Who did what"),
    h("p", { class: "quiet" }, "How far apart: in steps of the ten, where somebody else rated the same pair."),
    h(
      "div",
      { class: "rows", tabindex: "0", role: "region", "aria-label": "Everybody who rated" },
      h("table", {}, h("thead", {}, h("tr", {}, columns.map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, progress.raters.map((one) => h("tr", {}, h("th", { scope: "row" }, one.name || "me"), h("td", {}, String(one.ratings)), h("td", {}, String(one.not_judged)), h("td", {}, shown(one.seconds, 1)), h("td", {}, shown(one.apart, 1)))))),
    ),
  );
}

// -- which view ----------------------------------------------------------------------------------

function show() {
  const name = location.hash.slice(1);
  currentName = name in VIEWS ? name : "rate";
  document.body.dataset.view = currentName === "rate" ? "answer" : currentName;
  drawTop();
  current = VIEWS[currentName][1]();
}

addEventListener("hashchange", () => {
  if (location.hash === "#main") return;
  show();
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
});

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.repeat || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
  if (event.ctrlKey && event.key.toLowerCase() !== "z") return;
  const known = event.ctrlKey ? { key: "u", target: event.target } : event;
  if (current?.(known)) event.preventDefault();
});

show();
look();
