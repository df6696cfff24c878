// A language model as a guest: start and stop it, confirm what it proposes, see how far it agrees.

import { fill, h, percent, plural } from "./dom.js";
import { saidPair } from "./said.js";

const LATER = 1500; // milliseconds between two looks at a guest that is answering

// `changed` is called when there are other answers than before.
export function guestPanel(ctx, changed) {
  const root = h("div", { class: "people guest" });
  root.hidden = true;
  let gone = false;
  let timer = null;
  let known = null; // how many answers of it stood when they were last looked at

  async function load() {
    clearTimeout(timer);
    let guest;
    try {
      guest = await ctx.api.guest();
    } catch (error) {
      return ctx.trouble(error);
    }
    if (gone || !guest.name) return;
    root.hidden = false;
    draw(guest);
    if (known !== null && guest.answers !== known) {
      ctx.progress();
      changed();
    }
    known = guest.answers;
    if (guest.running) timer = setTimeout(load, LATER);
  }

  function draw(guest) {
    // What is being typed, or chosen, stays as it is.
    const n = root.querySelector("input[type=number]")?.value ?? "100";
    const proposes = root.querySelector("input[type=checkbox]")?.checked ?? false;
    const count = h("input", { type: "number", min: "1", max: "100000", value: n, id: "guest-answers" });
    const propose = h("input", { type: "checkbox", id: "guest-propose", checked: proposes });
    const money = guest.limit === null ? "" : `, ${guest.spent.toFixed(2)} of ${guest.limit.toFixed(2)} spent`;
    fill(
      root,
      h("h2", {}, `A guest: ${guest.name}`),
      h("p", { class: "quiet" }, `Items are sent to ${guest.sends_to} while it answers. ${plural(guest.answers, "answer")} of it stand${guest.answers === 1 ? "s" : ""}${money}.`),
      h("p", { role: "status" }, status(guest)),
      h(
        "p",
        { class: "row-of" },
        guest.running
          ? h("button", { type: "button", onclick: () => act(ctx.api.stopGuest()) }, "Stop it")
          : [
              h("label", { for: "guest-answers" }, "Questions "),
              count,
              h("label", { for: "guest-propose" }, propose, " propose only"),
              h("button", { type: "button", onclick: () => act(ctx.api.startGuest({ answers: Number(count.value), propose: propose.checked })) }, "Let it answer"),
            ],
        guest.proposals > 0 && h("button", { type: "button", onclick: confirmSheet }, `Confirm ${plural(guest.proposals, "proposal")}`),
        guest.answers > 0 && h("button", { type: "button", class: "aside", onclick: () => takeBack(guest) }, "Take back all its answers"),
      ),
      kinds(guest),
    );
  }

  function status({ running, answered, unsure, reason }) {
    const done = answered ? `${plural(answered, "answer")}, ${unsure} of them unsure` : "";
    if (running) return done ? `Answering: ${done}.` : "Answering…";
    const why = reason === "stopped" ? "You have stopped it." : `It has stopped: ${reason}.`;
    return reason ? `${why} ${done && `${done}.`}` : "";
  }

  function kinds({ kinds: found }) {
    if (!found.length) return null;
    const row = (one) => h("tr", {}, h("th", { scope: "row" }, one.kind), h("td", {}, one.compared), h("td", {}, percent(one.agreed / one.compared)));
    return h(
      "div",
      { class: "rows", tabindex: "0", role: "region", "aria-label": "How far it agrees with people" },
      h("table", {}, h("caption", {}, "How far it agrees with people"), h("thead", {}, h("tr", {}, ["People say", "Compared", "Agrees"].map((title) => h("th", { scope: "col" }, title)))), h("tbody", {}, found.map(row))),
    );
  }

  // A sheet: all that it proposes is ticked; what a person unticks is answered the other way.
  async function confirmSheet() {
    let proposals;
    try {
      proposals = await ctx.api.proposals();
    } catch (error) {
      return ctx.trouble(error);
    }
    if (!proposals.length) return load();
    const boxes = proposals.map(() => h("input", { type: "checkbox", checked: true }));
    const shown = proposals.map((one, k) => h("label", { class: "said by-program" }, boxes[k], saidPair(one.items, one, ctx.api)));
    const agreed = await ctx.confirm({ title: "Is it right?", content: [h("p", { class: "quiet" }, "Untick what is wrong: it is then answered the other way. What you confirm counts as your own answers."), h("div", { class: "against" }, shown)], action: "Confirm" });
    if (!agreed) return;
    const other = { same: "different", different: "same" };
    const answers = proposals.map((one, k) => ({ question: one.question, verdict: boxes[k].checked ? one.verdict : other[one.verdict] }));
    await act(ctx.api.confirmProposals({ answers, annotator: ctx.person() }));
    ctx.progress(); // the answers are the person's own
    changed();
  }

  async function takeBack(guest) {
    if (!(await ctx.confirm({ title: `Take back all answers of ${guest.name}?`, content: [h("p", {}, `${plural(guest.answers, "answer")} will have no effect. Undo brings them back.`)], action: "Take them back" }))) return;
    await act(ctx.api.takeBackGuest(ctx.person()));
  }

  async function act(request) {
    try {
      await request;
    } catch (error) {
      ctx.trouble(error);
    }
    load();
  }

  if (ctx.owns()) load();
  return {
    root,
    close() {
      gone = true;
      clearTimeout(timer);
    },
  };
}
