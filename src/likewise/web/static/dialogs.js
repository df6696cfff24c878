// Small windows: asking for a name, making sure, keys and settings.

import { h } from "./dom.js";
import { ACTIONS, keyName, keysAreOn, keysOf, resetKeys, setKey } from "./keys.js";
import { settings } from "./settings.js";

export function sheet(title, ...content) {
  const close = () => dialog.close();
  const dialog = h(
    "dialog",
    { class: "sheet narrow", "aria-labelledby": "sheet-title", onclose: () => dialog.remove() },
    h("div", { class: "sheet-head" }, h("h2", { id: "sheet-title" }, title), h("button", { type: "button", class: "close", "aria-label": "Close", onclick: close }, "✕")),
    ...content,
  );
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export function askText({ title, label, value = "", action, note = "" }) {
  return new Promise((resolve) => {
    let said = null;
    const field = h("input", { type: "text", value, maxlength: "100", id: "asked", autocomplete: "off" });
    const form = h(
      "form",
      {
        class: "asking",
        onsubmit: (event) => {
          event.preventDefault();
          said = field.value.trim();
          dialog.close();
        },
      },
      h("label", { for: "asked" }, label),
      field,
      note && h("p", { class: "quiet" }, note),
      h("button", { type: "submit", class: "primary" }, action),
    );
    const dialog = sheet(title, form);
    dialog.addEventListener("close", () => resolve(said));
    field.focus();
    field.select();
  });
}

export function confirmText({ title, content, action }) {
  return new Promise((resolve) => {
    let sure = false;
    const dialog = sheet(
      title,
      ...content,
      h(
        "div",
        { class: "sheet-foot" },
        h("button", { type: "button", onclick: () => dialog.close() }, "Leave it"),
        h("button", { type: "button", class: "primary", onclick: () => { sure = true; dialog.close(); } }, action),
      ),
    );
    dialog.addEventListener("close", () => resolve(sure));
  });
}

export function showHelp(changed) {
  const list = h("table", { class: "keys" });
  const on = h("input", { type: "checkbox", checked: keysAreOn(), onchange: () => { settings.set("keysOn", on.checked); changed(); } });
  const shown = (action) => (keysOf(action).length ? keysOf(action).map((key) => h("kbd", {}, keyName(key))) : "none");
  const rows = () =>
    Object.entries(ACTIONS).map(([action, { title }]) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, title),
        h("td", {}, h("button", { type: "button", title: "Change", onclick: (event) => change(action, event.currentTarget) }, shown(action), h("span", { class: "unseen" }, ` change the key for ${title}`))),
      ),
    );
  const draw = () => list.replaceChildren(h("tbody", {}, rows(), h("tr", {}, h("th", { scope: "row" }, "one of the groups: its own digit"), h("td", {}, h("span", { class: "fixed" }, h("kbd", {}, "0"), "–", h("kbd", {}, "9"))))));
  function change(action, button) {
    button.textContent = "Press a key…";
    button.classList.add("asked");
    const take = (event) => {
      event.preventDefault();
      event.stopPropagation();
      if (["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
      removeEventListener("keydown", take, true);
      if (!["Escape", "Tab"].includes(event.key)) setKey(action, event.key);
      draw();
      changed();
    };
    addEventListener("keydown", take, true);
  }
  draw();
  sheet(
    "Keys and settings",
    h("label", { class: "check" }, on, "Answer by single keys"),
    h("p", { class: "quiet" }, "Press the keys of a line to choose another."),
    list,
    h("button", { type: "button", onclick: () => { resetKeys(); draw(); changed(); } }, "Back to the usual keys"),
    h("p", { class: "quiet" }, "On a touch screen: swipe right for same, left for different. Double-click or scroll on a picture to enlarge both."),
  );
}
