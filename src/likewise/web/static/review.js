// What somebody has marked for a second pair of eyes; whoever has looked clears it.

import { soloCard } from "./cards.js";
import { fill, h, plural, spinner } from "./dom.js";
import { noted } from "./notes.js";
import { titleOf } from "./titles.js";

export function reviewView(root, ctx) {
  let gone = false;

  async function load() {
    let found;
    try {
      found = await ctx.api.reviews();
    } catch (error) {
      return ctx.trouble(error);
    }
    if (!gone) draw(found);
  }

  function draw(found) {
    fill(
      root,
      h(
        "section",
        { class: found.length ? "reviews" : "empty", "aria-labelledby": "review-title" },
        h("h1", { id: "review-title", tabindex: "-1" }, found.length ? `${plural(found.length, "item")} to review` : "Nothing needs review."),
        !found.length && h("p", {}, "Mark an item while you answer, or in its group; it is listed here for everybody."),
        h("ul", { class: "review-list" }, found.map(line)),
      ),
    );
    ctx.announce(`${plural(found.length, "item")} to review.`);
  }

  function line(one) {
    const when = one.when ? new Date(one.when).toLocaleString() : "";
    return h(
      "li",
      { class: "review" },
      soloCard(one.item, ctx.api),
      h(
        "div",
        { class: "review-said" },
        h("p", { class: "review-note" }, one.note || "Needs review"),
        h("p", { class: "quiet" }, [one.annotator, when].filter(Boolean).join(" · ")),
        h("p", {}, h("a", { href: `#groups/${one.group}` }, `In ${titleOf(one)}`)),
        h("button", { type: "button", class: "primary", onclick: () => clear(one.item) }, "Looked at", h("span", { class: "unseen" }, ` ${one.item.id}`)),
      ),
    );
  }

  async function clear(item) {
    if (await noted(ctx, "clearReviews", { items: [item.key] }, `${item.id} was looked at.`)) load();
  }

  fill(root, h("section", { class: "empty" }, spinner("Looking what is marked…")));
  load();
  return {
    act(action) {
      if (action !== "undo") return false;
      ctx.undo().then((changed) => changed && !gone && load());
      return true;
    },
    close: () => (gone = true),
  };
}
