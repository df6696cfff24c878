// The question: two items, three answers.

import { pairOfCards, rowTable, small, soloCard } from "./cards.js";
import { fill, h, percent, plural, spinner } from "./dom.js";
import { hint } from "./keys.js";
import { placesOf } from "./places.js";
import { isFinal, pauseAfter } from "./queue.js";
import { undone } from "./troubles.js";
import { onSwipe } from "./swipe.js";
import { flip, linkedZoom } from "./zoom.js";

const HEARTBEATS = 3; // per lease
const LATE = 250; // milliseconds after which the page says what is being waited for
const LOOK_AGAIN = 4000; // others may take back, or leave, what they are looking at

const WORDS = { same: "Same", different: "Different", unsure: "Not sure" };

export function questionView(root, ctx) {
  let question = null;
  let shownAt = 0;
  let busy = false;
  let zoom = null;
  let gone = false;
  let last = "";
  let lastId = null; // of the answer that can be asked about: why was that the question?
  const redo = [];
  const placing = () => ctx.settings.get("mode", "pair") === "place";
  const showsPlaces = () => placing() && question?.places?.length > 0; // else a pair is drawn

  // -- showing -------------------------------------------------------------------------------

  async function next(skip) {
    const late = setTimeout(() => tellWaiting(), LATE);
    try {
      question = await ctx.api.question({
        annotator: ctx.person(),
        skip,
        places: placing() ? true : undefined,
      });
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
    ctx.progress();
  }

  async function tellWaiting() {
    if (gone) return;
    fill(root, h("section", { class: "empty" }, spinner("Choosing the next question…")));
    ctx.announce("Choosing the next question.");
  }

  function draw() {
    const [one, other] = question.items;
    const asPlace = showsPlaces();
    const stage = h("div", { class: "pair" });
    if (asPlace) stage.append(side(soloCard(one, ctx.api), 0), placesOf(question, ctx, place));
    else if (one.row && !one.picture && !one.text) {
      stage.classList.add("as-rows");
      stage.append(rowTable(question.items), h("div", { class: "kin-pair" }, kin(0), kin(1)));
    } else stage.append(...pairOfCards(question.items, ctx.api).map(side));
    const view = h(
      "section",
      { class: asPlace ? "question placing" : "question", "aria-labelledby": "ask" },
      h(
        "div",
        { class: "ask-line" },
        h("h1", { id: "ask", tabindex: "-1" }, asPlace ? "Where does this one belong?" : "Same kind, or different?"),
        modes(),
      ),
      stage,
      asPlace ? placeButtons() : answerButtons(),
      h("p", { class: "effect" }, asPlace ? "" : effect()),
      h("div", { class: "asides" }, aside("undo", "Take back", undo), aside("skip", "Skip", skip), lastLine()),
    );
    fill(root, view);
    zoom = linkedZoom(view);
    onSwipe(stage, {
      left: () => answer("different"),
      right: () => answer("same"),
      blocked: () => zoom.on || asPlace || busy,
    });
    shownAt = performance.now();
    busy = false;
    ctx.announce(spoken(asPlace));
  }

  function lastLine() {
    return h("p", { class: "last", id: "last" }, last, lastId !== null && h("button", { type: "button", class: "aside", onclick: why }, "Why this question?", key("why")));
  }

  const side = (card, k) => {
    card.append(kin(k));
    return card;
  };

  // What is known to be like the item: a few of them, and how many there are.
  function kin(k) {
    const others = question.sizes[k] - 1;
    const name = question.names[k];
    if (!others) return h("div", { class: "kin none" }, h("span", { class: "kin-count" }, name || "nothing known to be like it yet"));
    return h(
      "div",
      { class: "kin" },
      h("span", { class: "kin-count" }, name ? h("strong", {}, name, " · ") : "", `with ${plural(others, "other")}`),
      h("div", { class: "strip" }, question.exemplars[k].map((card) => small(card, ctx.api))),
    );
  }

  function effect() {
    const [one, other] = question.sizes;
    if (one === 1 && other === 1) return "“Same” puts these two together.";
    return `“Same” joins ${one} and ${plural(other, "item")}.`;
  }

  function spoken(asPlace) {
    const [one, other] = question.items;
    if (asPlace) return `Question ${question.asked + 1}: where does ${one.id} belong? ${question.places.length} likely groups.`;
    return `Question ${question.asked + 1}: ${one.id} and ${other.id}. Same kind, or different? ${effect()}`;
  }

  function modes() {
    const mode = (name, label) =>
      h("button", { type: "button", class: "mode", "aria-pressed": String((placing() ? "place" : "pair") === name), onclick: () => setMode(name) }, label);
    return h("div", { class: "modes", role: "group", "aria-label": "How to answer" }, mode("pair", "Pair"), mode("place", "Place"));
  }

  function answerButtons() {
    return h(
      "div",
      { class: "answers" },
      big("different", "Different", "≠"),
      big("unsure", "Not sure", "?"),
      big("same", "Same", "="),
    );
  }

  function placeButtons() {
    return h(
      "div",
      { class: "answers two" },
      big("unsure", "Not sure", "?"),
      h(
        "button",
        { type: "button", class: "answer fresh", onclick: () => place("new") },
        h("span", { class: "sign", "aria-hidden": "true" }, "+"),
        question.more_places ? "None of these" : "New group",
        key("fresh"),
      ),
    );
  }

  function big(verdict, label, sign) {
    return h(
      "button",
      { type: "button", class: `answer ${verdict}`, onclick: () => answer(verdict) },
      h("span", { class: "sign", "aria-hidden": "true" }, sign),
      label,
      key(verdict),
    );
  }

  const key = (action) => hint(action) && h("kbd", { "aria-hidden": "true" }, hint(action));

  function aside(action, label, work) {
    return h("button", { type: "button", class: "aside", onclick: work }, label, key(action));
  }

  // -- answering -----------------------------------------------------------------------------

  async function answer(verdict) {
    if (busy || !question) return;
    busy = true;
    redo.length = 0;
    pressed(verdict);
    const seconds = (performance.now() - shownAt) / 1000;
    try {
      const kept = await ctx.queue.send(
        "answer",
        { question: question.id, verdict, annotator: ctx.person(), seconds },
        said(verdict, question.items),
      );
      tell(afterwards(kept), kept?.id);
    } catch (error) {
      return trouble(error);
    }
    await next();
  }

  async function place(choice) {
    if (busy || !question) return;
    busy = true;
    redo.length = 0;
    const seconds = (performance.now() - shownAt) / 1000;
    const [{ key: item, id }] = question.items;
    const member = (one) => one.exemplars[0];
    const among = question.places.map((one) => member(one).key);
    const chosen = choice === "new" ? { group: "new" } : { group: choice.group, member: member(choice).key };
    const where = choice === "new" ? "a group of its own" : `the group of ${choice.name || member(choice).id}`;
    try {
      const kept = await ctx.queue.send(
        "placement",
        { study: question.study, item, ...chosen, annotator: ctx.person(), seconds, among },
        `${id} in ${where}`,
      );
      tell(kept ? `One click, ${plural(kept.answers.length, "answer")}.` : "");
    } catch (error) {
      return trouble(error);
    }
    await next();
  }

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
      if (!step.is_edit) redo.push(...together.reverse().map(({ question: id, verdict }) => ({ question: id, verdict })));
      if (step.is_edit) tell(undone(step));
      else tell(together.length === 1 ? `Took back “${together[0].verdict}”.` : `Took back ${together.length} answers of one click.`);
    } catch (error) {
      if (error.status !== 422) return trouble(error);
      busy = false;
      return ctx.notice("There is no answer of yours to take back.");
    }
    await next();
  }

  async function again() {
    if (busy || !redo.length) return;
    busy = true;
    const again = redo.pop();
    try {
      const kept = await ctx.queue.send("answer", { ...again, annotator: ctx.person() }, `“${WORDS[again.verdict]}”, said again,`);
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
    lastId = id;
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

  // -- when there is no question -------------------------------------------------------------

  function nothingLeft(later) {
    busy = false;
    question = null;
    const said = later
      ? ["Nothing for you right now.", "Others are looking at what is left. This page looks again by itself."]
      : ["Nothing is left to ask.", "Every item has found its group, as far as your answers go."];
    fill(
      root,
      h(
        "section",
        { class: "empty" },
        h("h1", { tabindex: "-1" }, said[0]),
        h("p", {}, said[1]),
        h("p", { class: "row-of" }, h("button", { type: "button", class: "primary", onclick: () => ctx.go("groups") }, "See the groups"), !later && ctx.finishes && h("a", { class: "button", href: "#finish" }, "Names and files"), aside("undo", "Take back", undo)),
      ),
    );
    ctx.announce(said[0]);
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

  const beat = setInterval(() => {
    if (question && !busy && !document.hidden) {
      ctx.api.question({ annotator: ctx.person() }).then((still) => {
        // Another window, or another person after a long pause, has answered it.
        if (!gone && !busy && still?.id && still.id !== question?.id) next();
      }, () => {});
    }
  }, (1000 * ctx.leaseSeconds()) / HEARTBEATS);

  const awake = () => !document.hidden && !busy && question && next();
  document.addEventListener("visibilitychange", awake);

  fill(root, h("section", { class: "empty" }, spinner("Getting the first question…")));
  ctx.queue.flush().then(() => next());

  return {
    act(action, event) {
      const chosen = Number(event?.key);
      if (action === null && chosen >= 1 && showsPlaces() && question.places[chosen - 1]) return place(question.places[chosen - 1]);
      const known = {
        same: () => (showsPlaces() ? null : answer("same")),
        different: () => (showsPlaces() ? null : answer("different")),
        unsure: () => answer("unsure"),
        skip, undo, why,
        redo: again,
        zoom: () => zoom?.toggle(),
        flip: () => flip(root),
        mode: () => setMode(placing() ? "pair" : "place"),
        fresh: () => (showsPlaces() ? place("new") : null),
      }[action];
      if (!known) return false;
      known();
      return true;
    },
    close() {
      gone = true;
      clearInterval(beat);
      document.removeEventListener("visibilitychange", awake);
    },
  };
}
