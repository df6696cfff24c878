// Groups to choose from: the likeliest first, by digit, by name, by arrow keys, or a new one.

import { keyOf } from "./buttons.js";
import { isRow, small } from "./cards.js";
import { digitsOf } from "./digits.js";
import { h } from "./dom.js";
import { ledTo } from "./grid.js";
import { keysAreOn } from "./keys.js";
import { tellingColumns, typical } from "./telling.js";

export const placeName = (place) => place.name || place.title || `the group of ${place.exemplars[0].id}`;

// `choose` is given a place, or { name } for a new group.
export function placesOf(places, ctx, { study, label, choose, fresh: allowed = true }) {
  const digits = digitsOf(ctx.settings, study, places.map((place) => place.anchor));
  const field = h("input", {
    type: "text",
    class: "find-group",
    placeholder: allowed ? "Find a group, or name a new one" : "Find a group",
    "aria-label": allowed ? "Find a group, or name a new one" : "Find a group",
    autocomplete: "off",
    maxlength: "100",
    oninput: narrow,
    onkeydown: (event) => {
      if (event.key === "Enter") {
        event.preventDefault();
        event.stopPropagation();
        pick();
      } else if (event.key === "ArrowDown") {
        event.preventDefault();
        shown()[0]?.focus();
      } else if (event.key === "Escape") {
        field.value = "";
        narrow();
        field.blur();
      }
    },
  });
  const columns = isRow(places[0]?.exemplars[0]) ? tellingColumns(places) : [];
  const looks = (place) => (columns.length ? typical(place, columns) : h("span", { class: "strip" }, place.exemplars.map((card) => small(card, ctx.api))));
  const fresh = h("button", { type: "button", class: "place fresh", onclick: () => choose({ name: field.value.trim() }) });
  const buttons = places.map((place) =>
    h(
      "button",
      { type: "button", class: "place", onclick: () => choose(place) },
      h(
        "span",
        { class: "place-head" },
        keysAreOn() && digits.get(place.anchor) && h("kbd", { "aria-hidden": "true" }, digits.get(place.anchor)),
        h("strong", {}, placeName(place)),
        // By answers alone: with all that are believed to belong there a group is larger, as under Groups.
        h("span", { class: "quiet" }, `${place.size} placed`),
      ),
      looks(place),
    ),
  );
  const list = h("ol", { class: "places", "aria-label": label, onkeydown: (event) => move(event) }, buttons.map((button) => h("li", {}, button)), allowed && h("li", {}, fresh));
  const none = h("p", { class: "quiet", role: "status" });
  narrow();

  const shown = () => [...buttons.filter((button) => !button.parentElement.hidden), ...(allowed ? [fresh] : [])];

  function narrow() {
    const wanted = field.value.trim().toLowerCase();
    places.forEach((place, k) => {
      buttons[k].parentElement.hidden = !`${place.name} ${place.title}`.toLowerCase().includes(wanted);
    });
    const typed = field.value.trim();
    fresh.replaceChildren(
      h("span", { class: "place-head" }, keyOf("fresh") || h("span"), h("strong", {}, typed ? `New group “${typed}”` : "New group"), h("span", { class: "quiet" }, "none of these")),
    );
    const left = buttons.filter((button) => !button.parentElement.hidden).length;
    none.textContent = typed && !left ? `No group is called that${allowed ? "; Enter makes one" : ""}.` : "";
  }

  // Enter takes the first group that fits what was typed, or makes one of that name.
  function pick() {
    const typed = field.value.trim();
    if (!typed) return;
    const fits = places.filter((place, k) => !buttons[k].parentElement.hidden);
    const exact = fits.find((place) => place.name.toLowerCase() === typed.toLowerCase());
    if (allowed || fits.length) choose(exact ?? fits[0] ?? { name: typed });
  }

  function move(event) {
    const all = shown();
    const at = ledTo(all, Math.max(0, all.indexOf(document.activeElement)), event);
    if (at === null) return;
    event.preventDefault();
    event.stopPropagation();
    all[at].focus();
  }

  return {
    element: h("div", { class: "choose-place" }, field, none, list),
    focus: () => shown()[0]?.focus({ preventScroll: true }),
    act(action, event) {
      if (/^[0-9]$/.test(event?.key ?? "")) {
        const chosen = places.find((place) => digits.get(place.anchor) === event.key);
        if (chosen) choose(chosen);
        return Boolean(chosen);
      }
      if (event?.key.startsWith("Arrow")) {
        shown()[0].focus();
        return true;
      }
      if (action === "find") field.focus();
      else if (action === "fresh" && allowed) choose({ name: "" });
      else return false;
      return true;
    },
  };
}
