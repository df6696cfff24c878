// The question: two items, three answers.

import { pairOfCards, rowTable, small, soloCard } from "./cards.js";
import { fill, h, percent, plural, spinner } from "./dom.js";
import { hint } from "./keys.js";
import { placesOf } from "./places.js";
import { onSwipe } from "./swipe.js";
import { flip, linkedZoom } from "./zoom.js";

const HEARTBEATS = 3; // per lease
const LATE = 250; // milliseconds after which the page says what is being waited for
const LOOK_AGAIN = 4000; // when others hold all that is left

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
    if (question) draw();
    else nothingLeft();
    ctx.progress();
  }

  async function tellWaiting() {
    if (gone) return;
    fill(root, h("section", { class: "empty" }, spinner("Choosing the next question…")));
    ctx.announce("Choosing the next question.");
  }

  function draw() {
    const [one, other] = question.items;
    const asPlace = placing() && question.places?.length;
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
      const kept = await ctx.queue.send("answer", {
        question: question.id, verdict, annotator: ctx.person(), seconds,
      });
      tell(afterwards(kept), kept?.id);
    } catch (error) {
      if (error.status !== 409) return trouble(error);
      tell("");
      ctx.notice("That question was answered in another window; here is the next.");
    }
    await next();
  }

  async function place(choice) {
    if (busy || !question) return;
    busy = true;
    redo.length = 0;
    const seconds = (performance.now() - shownAt) / 1000;
    const among = question.places.map((one) => one.member);
    const chosen = choice === "new" ? {} : { member: choice.member };
    try {
      const kept = await ctx.queue.send("placement", {
        item: question.pair[0], group: choice === "new" ? "new" : choice.group, annotator: ctx.person(), seconds, among, ...chosen,
      });
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
      const mine = await ctx.api.latest(ctx.person());
      if (!mine.length) {
        busy = false;
        return ctx.notice("There is no answer of yours to take back.");
      }
      const { click } = mine.at(-1);
      const together = mine.filter((one) => one.click === click);
      for (const one of together.reverse()) await ctx.api.takeBack(one.id, ctx.person());
      redo.push(...together.map(({ pair, verdict }) => ({ question: pair.join("-"), verdict })));
      tell(together.length === 1 ? `Took back “${together[0].verdict}”.` : `Took back ${together.length} answers of one click.`);
    } catch (error) {
      return trouble(error);
    }
    await next();
  }

  async function again() {
    if (busy || !redo.length) return;
    busy = true;
    const said = redo.pop();
    try {
      const kept = await ctx.queue.send("answer", { ...said, annotator: ctx.person() });
      tell(afterwards(kept), kept?.id);
    } catch (error) {
      if (error.status !== 409) return trouble(error);
    }
    await next();
  }

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
    if (kept.disputed) return "This contradicts earlier answers: have a look under Check.";
    if (kept.same_probability === null || kept.as_predicted === null) return `Kept: ${kept.verdict === "unsure" ? "not sure" : kept.verdict}.`;
    const chance = kept.verdict === "same" ? kept.same_probability : 1 - kept.same_probability;
    return `Kept: ${kept.verdict}. ${percent(chance)} expected that.`;
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

  function nothingLeft() {
    busy = false;
    question = null;
    fill(
      root,
      h(
        "section",
        { class: "empty" },
        h("h1", { tabindex: "-1" }, "Nothing is left to ask."),
        h("p", {}, "Every item has found its group, as far as your answers go."),
        h("p", { class: "row-of" }, h("button", { type: "button", class: "primary", onclick: () => ctx.go("groups") }, "See the groups"), aside("undo", "Take back", undo)),
      ),
    );
    ctx.announce("Nothing is left to ask.");
    // Others may take back, or leave, what they are looking at.
    setTimeout(() => !gone && !question && !busy && next(), LOOK_AGAIN);
  }

  function trouble(error) {
    busy = false;
    if (gone) return;
    if (error.status !== undefined) {
      ctx.notice(error.message);
      if (!question) fill(root, h("section", { class: "empty" }, h("h1", {}, "That did not work."), h("p", {}, error.message)));
      else if (!root.querySelector(".question")) draw();
      return;
    }
    ctx.offline();
    setTimeout(() => !gone && next(), 1500);
  }

  // -- life ----------------------------------------------------------------------------------

  const beat = setInterval(() => {
    if (question && !busy && !document.hidden) {
      ctx.api.question({ annotator: ctx.person() }).then((still) => {
        // Another window, or another person after a long pause, has answered it.
        if (!gone && !busy && still && still.id !== question?.id) next();
      }, () => {});
    }
  }, (1000 * ctx.leaseSeconds()) / HEARTBEATS);

  const awake = () => !document.hidden && !busy && question && next();
  document.addEventListener("visibilitychange", awake);

  fill(root, h("section", { class: "empty" }, spinner("Getting the first question…")));
  ctx.queue.flush().catch(() => {}).then(() => next());

  return {
    act(action, event) {
      const chosen = Number(event?.key);
      if (action === null && chosen >= 1 && placing() && question?.places?.[chosen - 1]) return place(question.places[chosen - 1]);
      const known = {
        same: () => (placing() ? null : answer("same")),
        different: () => (placing() ? null : answer("different")),
        unsure: () => answer("unsure"),
        skip, undo, why,
        redo: again,
        zoom: () => zoom?.toggle(),
        flip: () => flip(root),
        mode: () => setMode(placing() ? "pair" : "place"),
        fresh: () => (placing() ? place("new") : null),
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
