// A place: one item, and all groups it may belong to.

import { bigButton } from "./buttons.js";
import { isRow, small, soloCard } from "./cards.js";
import { h, plural } from "./dom.js";
import { placeName, placesOf } from "./places.js";
import { tellingColumns } from "./telling.js";
import { linkedZoom } from "./zoom.js";

export function placeQuestion(question, ctx, { answer, send }) {
  const card = soloCard(question.item, ctx.api, isRow(question.item) ? tellingColumns(question.places) : []);
  if (question.size > 1) {
    card.append(h("div", { class: "kin" }, h("span", { class: "kin-count" }, `with ${plural(question.size - 1, "other")}, which go where it goes`), h("div", { class: "strip" }, question.kin.map((one) => small(one, ctx.api)))));
  }
  const list = placesOf(question.places, ctx, { study: question.study, label: "Groups, the likeliest first", choose });
  const content = h(
    "div",
    { class: "placing" },
    h("div", { class: "pair" }, h("div", { class: "placed-item" }, card, h("div", { class: "answers one" }, bigButton("unsure", "Not sure", "?", () => answer("unsure")))), list.element),
  );
  const zoom = linkedZoom(content);

  function choose(choice) {
    const isNew = choice.anchor === undefined;
    const chosen = isNew ? { group: "new", name: choice.name, among: question.places.map((one) => one.member) } : { member: choice.member, among: [] };
    const where = isNew ? (choice.name ? `a new group “${choice.name}”` : "a group of its own") : `“${placeName(choice)}”`;
    send("placement", { item: question.item.key, ...chosen }, `${question.item.id} in ${where}`, `Placed in ${where}.`);
  }

  return {
    title: question.ask,
    spoken: `${question.item.id}. ${question.ask} ${plural(question.places.length, "group")}.`,
    content,
    act(action, event) {
      if (list.act(action, event)) return true;
      if (action === "unsure") answer("unsure");
      else if (action === "zoom") zoom.toggle();
      else return false;
      return true;
    },
  };
}
