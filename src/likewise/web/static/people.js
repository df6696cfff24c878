// Everybody who answers: how much, how fast, and how far they can be relied on.

import { h, percent } from "./dom.js";

const number = (value) => (value === null ? "–" : value.toFixed(2));

function repeats(overlap) {
  if (overlap > 1) return `Each pair goes to ${overlap} people. `;
  return overlap === 1 ? "Each pair goes to one person. " : "Somebody else is asked where an answer is in doubt. ";
}

// How often somebody is wrong, in words that hold without colour.
function wrong(errors) {
  if (!errors) return "–";
  const range = h("span", { class: "quiet" }, ` ${percent(errors.low)} to ${percent(errors.high)}`);
  return [percent((errors.same + errors.different) / 2), range];
}

function remarks({ errors, is_program: program }) {
  const found = [];
  if (program) found.push("a program");
  if (errors?.one_sided) found.push(errors.says_same > 0.5 ? "says nothing but “same”" : "says nothing but “different”");
  if (errors?.gold) found.push(`${Math.round(errors.gold_right * errors.gold)} of ${errors.gold} known answers right`);
  if (errors?.cost) found.push(`cost ${errors.cost.toFixed(2)}`);
  return found.join("; ");
}

export function peopleTable({ people, alpha, overlap, gold }, { owns, withdraw }) {
  if (!people.length) return null;
  const detailed = owns && people.some((one) => one.errors);
  const columns = ["Name", "Answers", "Not sure", "Seconds each", "Agreement α", ...(detailed ? ["Wrong", "Believed", "Says “same”", "Remarks"] : []), "Now"];
  const row = (one) =>
    h(
      "tr",
      { class: one.is_program ? "by-program" : undefined },
      h("th", { scope: "row" }, one.name || "(no name)"),
      h("td", {}, one.answers),
      h("td", {}, one.unsure),
      h("td", {}, one.median_seconds ?? "–"),
      h("td", {}, number(one.alpha)),
      detailed && [h("td", {}, wrong(one.errors)), h("td", {}, one.errors ? percent(one.errors.agreement) : "–"), h("td", {}, one.errors ? percent(one.errors.says_same) : "–"), h("td", { class: "remarks" }, remarks(one))],
      h("td", {}, one.answering ? "answering" : "away", owns && one.invited && h("button", { type: "button", class: "aside", onclick: () => withdraw(one.name) }, "Withdraw", h("span", { class: "unseen" }, ` the invitation of ${one.name}`))),
    );
  return h(
    "div",
    { class: "people" },
    h("h2", {}, "Who did what"),
    h(
      "p",
      { class: "quiet" },
      repeats(overlap),
      people.some((one) => one.is_program) && "Some of what a program says is asked of people, too. ",
      gold > 0 && `${gold} known answers are mixed in. `,
      alpha === null ? "Nothing was judged twice, so agreement is not known." : `Agreement of all (Krippendorff’s α): ${number(alpha)}.`,
    ),
    h("div", { class: "rows", tabindex: "0", role: "region", "aria-label": "Who did what" }, h("table", {}, h("thead", {}, h("tr", {}, columns.map((title) => h("th", { scope: "col" }, title)))), h("tbody", {}, people.map(row)))),
  );
}
