// How far it is: in plain words first, then in figures, then who did what.

import { guestPanel } from "./guest.js";
import { fill, h, percent, plural, spinner } from "./dom.js";
import { peopleTable } from "./people.js";

const FORESEEN = 200; // beyond these, how many answers are left is a guess, as in the sentence of the advice

function questionsLeft(n) {
  if (n === null) return "–";
  return n > FORESEEN ? `more than ${FORESEEN}` : `about ${n.toLocaleString("en")}`;
}

export function progressView(root, ctx) {
  let gone = false;

  async function load() {
    let study;
    let people;
    try {
      [study, people] = await Promise.all([ctx.api.study(), ctx.api.people()]);
    } catch (error) {
      return ctx.trouble(error);
    }
    if (!gone) draw(study, people);
  }

  function draw(study, people) {
    const p = study.progress;
    const tile = (value, label, note) => h("div", { class: "tile" }, h("dt", {}, label), h("dd", {}, h("span", { class: "figure" }, value), note && h("span", { class: "quiet" }, note)));
    fill(
      root,
      h(
        "section",
        { class: "progress", "aria-labelledby": "progress-title" },
        h("h1", { id: "progress-title", tabindex: "-1" }, study.advice.may_stop ? "You may stop here." : "Worth going on."),
        h("p", { class: "lead" }, study.advice.sentence),
        p.right !== null && band(p),
        h(
          "dl",
          { class: "tiles" },
          tile(p.answers.toLocaleString("en"), "answers given", `${plural(study.items, "item")}, ${plural(study.groups, "group")}`),
          tile(p.settled_pairs.toLocaleString("en"), "pairs settled by inference", "that nobody had to answer"),
          tile(p.as_predicted === null ? "–" : percent(p.as_predicted), "as predicted", "of the latest answers"),
          tile(p.right === null ? "–" : percent(p.right), "expected to be placed right", p.low === null ? "" : `between ${percent(p.low)} and ${percent(p.high)}`),
          tile(questionsLeft(p.questions_left), "questions left", "until stopping is advised"),
          p.gain !== null && tile(`+${(100 * p.gain).toFixed(1)} %`, "from the next 50 answers", "expected to be placed right in addition"),
          tile(String(study.disputes), "contradictions", study.disputes && ctx.owns() ? "look under Check" : study.disputes ? "" : "none"),
        ),
        h("p", { class: "row-of" }, ctx.owns() && h("a", { class: "button", href: "/api/labels?format=csv", download: "groups.csv" }, "Save the groups as CSV"), h("a", { class: "button", href: "#finish" }, "Names and files"), h("a", { class: "button", href: "#answer" }, "Go on answering")),
        peopleTable(people, { owns: ctx.owns(), withdraw }),
        guest.root,
        study.shared && ctx.owns() && h("p", { class: "row-of" }, h("button", { type: "button", onclick: invite }, "Invite somebody")),
      ),
    );
    ctx.announce(study.advice.sentence);
  }

  // The share as a bar whose ends are labelled: the colour says nothing that the words do not.
  function band(p) {
    const bar = h("div", { class: "band", role: "img", "aria-label": `Between ${percent(p.low)} and ${percent(p.high)} are expected to be placed right.` }, h("span", { class: "band-range" }), h("span", { class: "band-mark" }));
    bar.children[0].style.left = `${100 * p.low}%`;
    bar.children[0].style.right = `${100 * (1 - p.high)}%`;
    bar.children[1].style.left = `${100 * p.right}%`;
    return h("div", { class: "banded" }, bar, h("p", { class: "band-ends", "aria-hidden": "true" }, h("span", {}, "none placed right"), h("span", {}, "all placed right")));
  }

  async function invite() {
    const name = await ctx.ask({ title: "Who is to answer?", label: "Name", action: "Make a link", note: "They can answer under this name, and see the groups; not what others answered." });
    if (!name) return;
    try {
      const made = await ctx.api.invite(name);
      await ctx.ask({ title: `A link for ${made.name}`, label: "Send it to nobody else", value: made.link, action: "Done" });
    } catch (error) {
      return ctx.trouble(error);
    }
    load();
  }

  async function withdraw(name) {
    if (!(await ctx.confirm({ title: `Withdraw the invitation of ${name}?`, content: [h("p", {}, "Their link stops working. Their answers stay.")], action: "Withdraw it" }))) return;
    try {
      await ctx.api.withdraw(name);
    } catch (error) {
      return ctx.trouble(error);
    }
    load();
  }

  const guest = guestPanel(ctx, load);
  fill(root, h("section", { class: "empty" }, spinner("Looking how far it is…")));
  load();
  const again = setInterval(() => !document.hidden && load(), 15000);
  return {
    act: () => false,
    close() {
      gone = true;
      clearInterval(again);
      guest.close();
    },
  };
}
