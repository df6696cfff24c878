// What to look at again: answers that cannot all be right, and answers that look odd.

import { brief, small } from "./cards.js";
import { fill, h, percent, plural, spinner } from "./dom.js";

const SIGNS = { same: "=", different: "≠", unsure: "?" };

export function checkView(root, ctx) {
  let gone = false;

  async function load() {
    let found;
    try {
      found = await ctx.api.disputes();
    } catch (error) {
      return ctx.trouble(error);
    }
    if (!gone) draw(found);
  }

  function draw({ disputes, doubtful }) {
    const clean = !disputes.length && !doubtful.length;
    fill(
      root,
      h(
        "section",
        { class: clean ? "empty" : "checking", "aria-labelledby": "check-title" },
        h("h1", { id: "check-title", tabindex: "-1" }, clean ? "Nothing to check." : "Worth a second look"),
        clean && h("p", {}, "No two answers contradict each other, and none looks odd beside the others."),
        disputes.map(loop),
        doubtful.length > 0 && h("h2", {}, "Answers that look odd"),
        doubtful.map((one) => card(one.items, one.answer, `By the other answers, the opposite is ${percent(one.probability)} likely.`)),
      ),
    );
    ctx.announce(clean ? "Nothing to check." : `${plural(disputes.length, "contradiction")}, ${plural(doubtful.length, "odd answer")}.`);
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

  function card([one, other], answer, note, first = false) {
    const verdict = answer.verdict === "unsure" ? "not sure" : answer.verdict;
    return h(
      "div",
      { class: first ? "said first" : "said" },
      h("div", { class: "said-pair" }, item(one), h("span", { class: "said-sign" }, h("span", { "aria-hidden": "true" }, SIGNS[answer.verdict]), h("small", {}, verdict)), item(other)),
      h(
        "div",
        { class: "said-foot" },
        h("span", {}, note && h("strong", {}, note), h("span", { class: "quiet" }, `answer ${answer.id}${answer.annotator ? ` by ${answer.annotator}` : ""}`)),
        h("span", { class: "row-of" }, h("button", { type: "button", onclick: () => takeBack(answer, false) }, "Take back"), h("button", { type: "button", class: "primary", onclick: () => takeBack(answer, true) }, "Ask me again")),
      ),
    );
  }

  const item = (one) => h("figure", { class: "said-item" }, small(one, ctx.api), h("figcaption", { title: one.id }, one.picture ? one.id.split("/").at(-1) : brief(one) === one.id ? "" : one.id));

  async function takeBack(answer, again) {
    try {
      await ctx.api.takeBack(answer.id, again ? ctx.person() : "");
    } catch (error) {
      return ctx.trouble(error);
    }
    ctx.notice(`Took back “${answer.verdict}”.`);
    ctx.progress();
    if (again) ctx.go("answer");
    else load();
  }

  fill(root, h("section", { class: "empty" }, spinner("Looking for contradictions…")));
  load();
  return { act: () => false, close: () => (gone = true) };
}
