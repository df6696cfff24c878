// The question: whichever kind is worth most, or the one that was pinned.

import { picturesAhead } from "./ahead.js";
import { aside, keyOf } from "./buttons.js";
import { fill, h, percent, spinner } from "./dom.js";
import { WORDS, pairQuestion } from "./pair.js";
import { placeQuestion } from "./place.js";
import { markDialog } from "./notes.js";
import { isFinal, pauseAfter } from "./queue.js";
import { sheetQuestion } from "./sheet.js";
import { undone } from "./troubles.js";

const HEARTBEATS = 3; // per lease
const LATE = 250; // milliseconds after which the page says what is being waited for
const LOOK_AGAIN = 4000; // others may take back, or leave, what they are looking at

const KINDS = { best: "Best", pair: "Pair", place: "Place", sheet: "Sheet" };
const DRAWN = { pair: pairQuestion, place: placeQuestion, sheet: sheetQuestion };

export function questionView(root, ctx) {
  let question = null;
  let drawn = null; // its view
  let shownAt = 0;
  let busy = false;
  let gone = false;
  let last = "";
  let lastId = null; // of the answer that can be asked about: why was that the question?
  const redo = [];
  const pictures = picturesAhead(ctx);
  const sent = new Map(); // replies of several answers, by the id of the first
  const kind = () => (ctx.settings.get("mode", "best") in KINDS ? ctx.settings.get("mode", "best") : "best");

  // -- showing -------------------------------------------------------------------------------

  async function next(skip) {
    const late = setTimeout(() => tellWaiting(), LATE);
    try {
      question = await ctx.api.question({ annotator: ctx.person(), kind: kind(), skip });
    } catch (error) {
      clearTimeout(late);
      return trouble(error);
    }
    clearTimeout(late);
    if (gone) return;
    ctx.online();
    if (question?.id) ctx.queue.arrive(question.study);
    if (question?.id) draw();
    else nothingLeft(question?.later);
    await pictures.shown(root); // they come first, with all of the server's time
    ctx.progress();
    if (question?.id) pictures.loadAhead();
  }

  async function tellWaiting() {
    if (gone) return;
    fill(root, h("section", { class: "empty" }, spinner("Choosing the next question…")));
    ctx.announce("Choosing the next question.");
  }

  function draw() {
    const heading = h("h1", { id: "ask", tabindex: "-1" });
    drawn = DRAWN[question.kind](question, ctx, { answer, send, isBusy: () => busy, title: (text) => (heading.textContent = text) });
    heading.textContent = drawn.title;
    fill(
      root,
      h(
        "section",
        { class: `question of-${question.kind}`, "aria-labelledby": "ask" },
        h("div", { class: "ask-line" }, heading, modes()),
        instead(),
        drawn.content,
        h("div", { class: "asides" }, aside("undo", "Take back", undo), aside("skip", "Skip", skip), aside("mark", "Needs review", mark), lastLine()),
      ),
    );
    drawn.drawn?.();
    shownAt = performance.now();
    busy = false;
    ctx.announce(`Question ${question.asked + 1}: ${drawn.spoken}`);
  }

  function lastLine() {
    return h("p", { class: "last", id: "last" }, last, lastId !== null && h("button", { type: "button", class: "aside", onclick: why }, "Why this question?", keyOf("why")));
  }

  function modes() {
    const titles = { best: "Whatever is worth most of your time", pair: "Two items: same or different?", place: "One item: which group?", sheet: "Many items: which belong together?" };
    const mode = (name) =>
      h("button", { type: "button", class: "mode", title: titles[name], "aria-pressed": String(kind() === name), onclick: () => setMode(name) }, KINDS[name]);
    return h("div", { class: "modes", role: "group", "aria-label": "How to answer" }, Object.keys(KINDS).map(mode));
  }

  // Not every kind can be asked at any time: whoever pinned one is told why another one came.
  function instead() {
    if ([question.kind, "best"].includes(kind())) return false;
    return h("p", { class: "quiet instead" }, `No ${kind()} would tell much just now, so here is a ${question.kind} instead.`);
  }

  // -- answering -----------------------------------------------------------------------------

  // A reply: what was taken back before can no longer be said again, nor an edit be the last step.
  function begin() {
    busy = true;
    redo.length = 0;
    ctx.passed?.();
  }

  // The id by which a pair is answered: of a place, its item and the likeliest group.
  async function answer(verdict) {
    if (busy || !question) return;
    begin();
    pressed(verdict);
    const items = question.kind === "place" ? [question.item, question.places[0].exemplars[0]] : question.items;
    try {
      const kept = await ctx.queue.send(
        "answer",
        { question: question.id, verdict, annotator: ctx.person(), seconds: elapsed() },
        said(verdict, items),
      );
      tell(question.kind === "place" ? "Left open." : afterwards(kept), question.kind === "place" ? null : kept?.id);
    } catch (error) {
      return trouble(error);
    }
    await next();
  }

  // A reply that is several answers: `about` where it has to be spoken of later, `told` now.
  async function send(way, body, about, told) {
    if (busy || !question) return;
    begin();
    await deliver(way, { study: question.study, seconds: elapsed(), annotator: ctx.person(), ...body }, about, told);
  }

  async function deliver(way, body, about, told) {
    try {
      const kept = await ctx.queue.send(way, body, about);
      if (kept?.answers.length) sent.set(kept.answers[0].id, { way, body, about, told });
      const many = kept?.answers.length > 1 ? ` ${kept.answers.length} answers at once.` : "";
      tell(kept ? `${told}${many}` : "");
    } catch (error) {
      return trouble(error);
    }
    await next();
  }

  const elapsed = () => (performance.now() - shownAt) / 1000;

  async function skip() {
    if (busy || !question) return;
    busy = true;
    tell("Skipped; it may come again later.");
    await next(question.id);
  }

  async function undo() {
    if (busy) return;
    busy = true;
    try {
      const { answers: together, ...step } = await ctx.api.undo({ annotator: ctx.person(), study: question?.study });
      ctx.passed?.();
      if (!step.is_edit) remember(together);
      if (step.is_edit) tell(undone(step));
      else tell(together.length === 1 ? `Took back “${together[0].verdict}”.` : `Took back ${together.length} answers of one reply.`);
    } catch (error) {
      if (error.status !== 422) return trouble(error);
      busy = false;
      return ctx.notice("There is no answer of yours to take back.");
    }
    await next();
  }

  // What was taken back can be said again: a reply of several answers as it was sent.
  function remember(together) {
    const whole = sent.get(together[0].id);
    if (whole) redo.push(whole);
    else redo.push(...together.reverse().map(({ question: id, verdict }) => ({ question: id, verdict })));
  }

  async function again() {
    if (busy || !redo.length) return;
    busy = true;
    const { way, body, about, told, ...pair } = redo.pop();
    if (way) return deliver(way, body, about, told);
    try {
      const kept = await ctx.queue.send("answer", { ...pair, annotator: ctx.person() }, `“${WORDS[pair.verdict]}”, said again,`);
      tell(afterwards(kept), kept?.id);
    } catch (error) {
      return trouble(error);
    }
    await next();
  }

  // How an answer is called if it has to be spoken of later.
  const said = (verdict, [one, other]) => `“${WORDS[verdict]}” about ${one.id} and ${other.id}`;

  function tell(sentence, id = null) {
    last = sentence;
    lastId = id ?? null;
  }

  // For a second pair of eyes: the question stays.
  function mark() {
    if (!busy && question) markDialog(ctx, { pair: question.items, place: [question.item], sheet: [question.first, ...(question.items ?? [])] }[question.kind]);
  }

  // On demand, and only about what is answered already: it would tell what is believed.
  async function why() {
    if (lastId === null) return;
    try {
      const told = await ctx.api.why(lastId);
      tell(told.why);
    } catch (error) {
      return ctx.trouble(error);
    }
    root.querySelector("#last")?.replaceWith(lastLine());
    ctx.announce(last);
  }

  // The belief is told only when it can no longer sway the answer.
  function afterwards(kept) {
    if (!kept) return "";
    if (kept.disputed) return `This contradicts earlier answers${ctx.owns() ? ": have a look under Check" : ""}.`;
    if (kept.same_probability === null || kept.as_predicted === null) return `Kept: ${WORDS[kept.verdict].toLowerCase()}.`;
    const chance = kept.verdict === "same" ? kept.same_probability : 1 - kept.same_probability;
    return `Kept: ${kept.verdict}. likewise had thought that ${percent(chance)} likely.`;
  }

  function pressed(verdict) {
    root.querySelector(`.answer.${verdict}`)?.classList.add("pressed");
  }

  function setMode(mode) {
    if (busy) return;
    ctx.settings.set("mode", mode);
    next();
  }

  function nextMode() {
    const all = Object.keys(KINDS);
    setMode(all[(all.indexOf(kind()) + 1) % all.length]);
  }

  // -- when there is no question -------------------------------------------------------------

  function nothingLeft(later) {
    busy = false;
    question = drawn = null;
    const told = later
      ? ["Nothing for you right now.", "Others are looking at what is left. This page looks again by itself."]
      : ["Nothing is left to ask.", "Every item has found its group, as far as your answers go."];
    fill(
      root,
      h(
        "section",
        { class: "empty" },
        h("h1", { tabindex: "-1" }, told[0]),
        h("p", {}, told[1]),
        h("p", { class: "row-of" }, h("button", { type: "button", class: "primary", onclick: () => ctx.go("groups") }, "See the groups"), !later && ctx.finishes && h("a", { class: "button", href: "#finish" }, "Names and files"), aside("undo", "Take back", undo)),
      ),
    );
    ctx.announce(told[0]);
    setTimeout(() => !gone && !question && !busy && next(), later ? 1000 * later : LOOK_AGAIN);
  }

  function trouble(error) {
    busy = false;
    if (gone) return;
    ctx.trouble(error);
    if (error.status !== undefined) {
      if (!question) fill(root, h("section", { class: "empty" }, h("h1", {}, "That did not work."), h("p", {}, error.message)));
      else if (!root.querySelector(".question")) draw();
    }
    if (!isFinal(error)) setTimeout(() => !gone && !busy && next(), pauseAfter(error, 1500));
  }

  // -- life ----------------------------------------------------------------------------------

  const isSame = (other) => other.id === question?.id && other.kind === question?.kind;

  const beat = setInterval(() => {
    if (question && !busy && !document.hidden) {
      ctx.api.question({ annotator: ctx.person(), kind: kind() }).then((still) => {
        // Another window, or another person after a long pause, has answered it.
        if (!gone && !busy && still?.id && !isSame(still)) next();
      }, () => {});
    }
  }, (1000 * ctx.leaseSeconds()) / HEARTBEATS);

  // Whoever comes back to this window finds what they left, unless it was answered elsewhere.
  const awake = () => {
    if (document.hidden || busy || !question) return;
    ctx.api.question({ annotator: ctx.person(), kind: kind() }).then((still) => !gone && !busy && !(still?.id && isSame(still)) && next(), trouble);
  };
  document.addEventListener("visibilitychange", awake);

  fill(root, h("section", { class: "empty" }, spinner("Getting the first question…")));
  ctx.queue.flush().then(() => next());

  return {
    act(action, event) {
      if (drawn?.act(action, event)) return true;
      const known = { skip, undo, why, mark, redo: again, mode: nextMode }[action];
      known?.();
      return Boolean(known);
    },
    close() {
      gone = true;
      clearInterval(beat);
      document.removeEventListener("visibilitychange", awake);
    },
  };
}
