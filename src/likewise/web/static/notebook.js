// The page below a cell of a notebook: requests travel through the widget instead of the network.

import { Refused } from "./api.js";
import { askText, confirmText } from "./dialogs.js";
import { fill, h } from "./dom.js";
import { groupsView } from "./groups.js";
import { actionOf } from "./keys.js";
import { questionView } from "./question.js";
import { newId } from "./queue.js";
import { settings } from "./settings.js";
import { paths } from "./paths.js";

const VIEWS = { answer: ["Answer", questionView], groups: ["Groups", groupsView] };

function render({ model, el }) {
  const waiting = new Map();
  const pictures = new Map();
  let number = 0;
  let current = null;

  model.on("msg:custom", (reply) => {
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });

  function carry(method, path, body = null) {
    const id = ++number;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      model.send({ id, method, path, body });
    });
  }

  async function call(method, path, body) {
    const { status, content } = await carry(method, path, body);
    if (status === 204) return null;
    const told = JSON.parse(content);
    if (status >= 400) throw new Refused(status, typeof told.detail === "string" ? told.detail : "that was not understood");
    return told;
  }

  // Pictures come as data; an image that waits for one is filled when it arrives.
  function picture(card, size) {
    const path = `${card.picture}?size=${Math.min(size, 512)}`;
    if (!pictures.has(path)) {
      pictures.set(path, "");
      carry("GET", path).then(({ status, content }) => {
        if (status !== 200) return;
        pictures.set(path, content);
        for (const image of el.querySelectorAll("img")) {
          if (image.getAttribute("src") === `#${path}`) image.src = content;
        }
      });
    }
    return pictures.get(path) || `#${path}`;
  }

  const api = { ...paths(call), picture };
  const live = h("div", { class: "unseen", "aria-live": "polite" });
  const notice = h("p", { class: "quiet", role: "status" });
  const main = h("div");
  const tabs = h("nav", { class: "tabs", "aria-label": "Views" });

  const ctx = {
    api,
    settings,
    queue: {
      length: 0,
      send: (kind, body) => api[kind]({ ...body, client_id: newId() }),
      flush: () => Promise.resolve(),
    },
    person: () => settings.get("person", "me"),
    leaseSeconds: () => 60,
    announce: (text) => (live.textContent = text),
    notice: (text) => (notice.textContent = text),
    online() {},
    offline: () => (notice.textContent = "The notebook does not answer."),
    trouble: (error) => (notice.textContent = error.message),
    progress() {},
    go: show,
    ask: askText,
    confirm: confirmText,
  };

  function show(name, detail = null) {
    current?.close();
    fill(tabs, Object.entries(VIEWS).map(([key, [title]]) => h("button", { type: "button", "aria-pressed": String(key === name), onclick: () => show(key) }, title)));
    current = VIEWS[name][1](main, ctx, detail);
  }

  const root = h("div", {
    class: "likewise",
    tabindex: "-1",
    onkeydown: (event) => {
      const action = actionOf(event);
      // Keys of the notebook must not act on its cells while somebody answers here.
      if ((action !== null || /^[1-9]$/.test(event.key)) && current?.act(action, event)) {
        event.preventDefault();
        event.stopPropagation();
      }
    },
  }, tabs, notice, main, live);
  el.append(root);
  show("answer");
  return () => current?.close();
}

export default { render };
