// What to look at again: answers that cannot all be right, and answers that look odd.

import { fill, h, percent, plural, spinner } from "./dom.js";
import { WORDS, pairQuestion } from "./pair.js";
import { saidPair } from "./said.js";

export function checkView(root, ctx) {
  let gone = false;
  let asked = null; // a question about what is known, as it is drawn

  async function load() {
    let found;
    try {
      found = await ctx.api.disputes();
    } catch (error) {
      return ctx.trouble(error);
    }
    if (!gone) draw(found);
  }

  function draw({ disputes, n_disputes: count, doubtful }) {
    const clean = !disputes.length && !doubtful.length;
    const loops = h("div", {}, disputes.map(loop));
    const again = h("div", { class: "look-again question of-pair" });
    const more = h("button", { type: "button", onclick: () => append(loops, more) }, "Show more");
    more.hidden = disputes.length >= count;
    fill(
      root,
      h(
        "section",
        { class: clean ? "empty" : "checking", "aria-labelledby": "check-title" },
        h("h1", { id: "check-title", tabindex: "-1" }, clean ? "Nothing to check." : "Worth a second look"),
        clean && h("p", {}, "No two answers contradict each other, and none looks like a slip."),
        loops,
        more,
        doubtful.length > 0 && h("h2", {}, doubtful.length === 1 ? "One answer may be a slip" : `${doubtful.length} answers may be slips`),
        doubtful.map((one) => card(one.items, one.answer, `By where the others lie, the chance that it is wrong is ${percent(one.probability)}.`, false, true)),
        again,
      ),
    );
    verify(again);
    ctx.announce(clean ? "Nothing to check." : `${plural(count, "contradiction")}, ${plural(doubtful.length, "possible slip")}.`);
  }

  // What hangs on a single answer is asked in another way: nobody is said to have erred.
  async function verify(box) {
    let question;
    try {
      question = await ctx.api.verification();
    } catch {
      return; // it was only an offer
    }
    if (gone || !box.isConnected) return;
    asked = question?.id ? pairQuestion(question, ctx, { answer: (verdict) => tell(question, verdict), isBusy: () => asked === null, known: true }) : null;
    if (asked) {
      root.querySelector("h1").textContent = "Worth a second look";
      root.querySelector("section").className = "checking";
    }
    fill(box, asked && [h("h2", {}, "Look again"), h("p", { class: "quiet" }, "Much hangs on one answer here. The reply is known if nobody erred; another one brings a mistake to light."), asked.content]);
  }

  async function tell(question, verdict) {
    if (asked === null) return;
    asked = null;
    try {
      await ctx.queue.send("answer", { question: question.id, verdict, annotator: ctx.person() }, `“${WORDS[verdict]}” about ${question.items.map((item) => item.id).join(" and ")}`);
    } catch (error) {
      return ctx.trouble(error);
    }
    ctx.done(`Kept “${WORDS[verdict]}”.`);
    ctx.progress();
    load();
  }

  async function append(loops, more) {
    const shown = loops.childElementCount;
    let found;
    try {
      found = await ctx.api.disputes(shown);
    } catch (error) {
      return ctx.trouble(error);
    }
    // Pressed twice, the same come twice.
    if (gone || loops.childElementCount !== shown) return;
    loops.append(...found.disputes.map((one, k) => loop(one, shown + k)));
    more.hidden = !found.disputes.length || loops.childElementCount >= found.n_disputes;
  }

  function loop(dispute, number) {
    const items = new Map(dispute.items.map((item) => [item.item, item]));
    return h(
      "article",
      { class: "dispute" },
      h("h2", {}, `Contradiction ${number + 1}: these ${dispute.answers.length} cannot ${dispute.answers.length === 2 ? "both" : "all"} be right`),
      dispute.by_elimination && h("p", { class: "quiet" }, "It counts on the number of groups that was given; that number may be what is wrong."),
      dispute.answers.map((answer, k) => card(answer.pair.map((item) => items.get(item)), answer, k === 0 ? "The likeliest mistake" : "", k === 0)),
    );
  }

  function card(items, answer, note, first = false, doubted = false) {
    return h(
      "div",
      { class: first ? "said first" : "said" },
      saidPair(items, answer, ctx.api),
      h(
        "div",
        { class: "said-foot" },
        h("span", {}, note && h("strong", {}, note), h("span", { class: "quiet" }, `answer ${answer.id}${answer.annotator ? ` by ${answer.annotator}` : ""}`)),
        h("span", { class: "row-of" }, doubted && h("button", { type: "button", onclick: () => keep(answer) }, "It is right, keep it"), h("button", { type: "button", onclick: () => takeBack(answer, false) }, "Take back"), h("button", { type: "button", class: "primary", onclick: () => takeBack(answer, true) }, "Ask me again")),
      ),
    );
  }

  // Said once more, it is no longer doubted.
  async function keep(answer) {
    try {
      await ctx.api.confirm(answer.id, { annotator: ctx.person() });
    } catch (error) {
      return ctx.trouble(error);
    }
    ctx.done(`Kept “${answer.verdict}”; it is not asked about again.`);
    load();
  }

  async function takeBack(answer, again) {
    try {
      await ctx.api.takeBack(answer, ctx.person(), again);
    } catch (error) {
      return ctx.trouble(error);
    }
    ctx.done(`Took back “${answer.verdict}”.`);
    ctx.progress();
    if (again) ctx.go("answer");
    else load();
  }

  fill(root, h("section", { class: "empty" }, spinner("Looking for contradictions…")));
  load();
  return { act: (action) => asked?.act(action) ?? false, close: () => (gone = true) };
}
