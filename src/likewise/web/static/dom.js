// Small helpers to build elements. Text is always set as text, never parsed as HTML.

export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name in element && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat().filter(Boolean));
  return parent;
}

export function plural(n, one, many = `${one}s`) {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

export const percent = (share) => `${Math.round(100 * share)} %`;

export function spinner(text) {
  return h("p", { class: "waiting" }, h("span", { class: "dots", "aria-hidden": "true" }), text);
}

// A time that is left, as people say it.
export const inWords = (seconds) => (seconds < 90 ? `about ${plural(Math.max(1, Math.round(seconds)), "second")}` : `about ${plural(Math.round(seconds / 60), "minute")}`);
