// Single keys: what each does, how they can be changed, and when they must be left alone.

import { settings } from "./settings.js";

export const ACTIONS = {
  different: { title: "different", keys: ["ArrowLeft", "f"] },
  same: { title: "same", keys: ["ArrowRight", "j"] },
  unsure: { title: "not sure", keys: [" "] },
  skip: { title: "skip", keys: ["s"] },
  undo: { title: "take back", keys: ["u", "Backspace"] },
  redo: { title: "say it again after taking back", keys: ["r"] },
  zoom: { title: "zoom in, zoom out", keys: ["z"] },
  flip: { title: "each picture in the other's place", keys: ["v"] },
  mark: { title: "mark for review", keys: ["m"] },
  why: { title: "why the last question was asked", keys: ["w"] },
  mode: { title: "another kind of question", keys: ["p"] },
  done: { title: "done with the sheet", keys: ["Enter"] },
  fresh: { title: "new group", keys: ["n"] },
  find: { title: "find a group by name", keys: ["/"] },
  help: { title: "keys and settings", keys: ["?"] },
};

const NAMES = { " ": "space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Backspace: "⌫", Escape: "esc", Enter: "↵" };

export const keyName = (key) => NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);

export function keysOf(action) {
  return settings.get("keys", {})[action] ?? ACTIONS[action].keys;
}

export function setKey(action, key) {
  const changed = { ...settings.get("keys", {}) };
  for (const other of Object.keys(ACTIONS)) {
    // A key means one thing: whoever had it loses it.
    const without = keysOf(other).filter((taken) => taken.toLowerCase() !== key.toLowerCase());
    if (without.length !== keysOf(other).length) changed[other] = without;
  }
  changed[action] = [key];
  settings.set("keys", changed);
}

export const resetKeys = () => settings.set("keys", {});
export const keysAreOn = () => settings.get("keysOn", true);

export function hint(action) {
  const [first] = keysOf(action);
  return first && keysAreOn() ? keyName(first) : "";
}

// The action a key stands for, or null where the key belongs to the browser or to a text field.
export function actionOf(event) {
  if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "z") {
    return inText(event.target) ? null : "undo";
  }
  if (event.ctrlKey || event.metaKey || event.altKey || inText(event.target)) return null;
  if (!keysAreOn()) return null;
  // Space and Enter press the button that has the focus; a tick is changed by space alone.
  if (event.key === " " && event.target.closest?.("button, a, summary, input, [role=checkbox]")) return null;
  if (event.key === "Enter" && event.target.closest?.("button, a, summary")) return null;
  for (const action of Object.keys(ACTIONS)) {
    if (keysOf(action).some((key) => key.toLowerCase() === event.key.toLowerCase())) return action;
  }
  return null;
}

// Keys that a view may have a use for although they stand for no action: digits and movements.
export const isOwn = (event) => keysAreOn() && !event.ctrlKey && !event.metaKey && !event.altKey && !inText(event.target) && /^([0-9]|Arrow.*|Escape)$/.test(event.key);

function inText(target) {
  return Boolean(target.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable]"));
}
