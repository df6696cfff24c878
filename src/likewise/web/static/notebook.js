// The page below a cell of a notebook: requests travel through the widget instead of the network.

import { Refused, nothing } from "./api.js";
import { askText, confirmText } from "./dialogs.js";
import { fill, h } from "./dom.js";
import { groupsView } from "./groups.js";
import { actionOf, isOwn } from "./keys.js";
import { questionView } from "./question.js";
import { isFinal, newId } from "./queue.js";
import { settings } from "./settings.js";
import { showStack } from "./stacks.js";
import { notKept, undone } from "./troubles.js";
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
    const { status, content, later } = await carry(method, path, body);
    if (status === 204) return nothing(later);
    const told = JSON.parse(content);
    if (status >= 400) throw new Refused(status, typeof told.detail === "string" ? told.detail : "that was not understood", told);
    return told;
  }

  // Pictures come as data; an image that waits for one is filled when it arrives.
  function picture(card, size, member = 0) {
    const path = `${card.picture}?size=${Math.min(size, 512)}${member ? `&member=${member}` : ""}`;
    if (!pictures.has(path)) {
      pictures.set(path, "");
      carry("GET", path).then(({ status, content }) => {
        if (status !== 200) return;
        pictures.set(path, content);
        for (const image of document.querySelectorAll("img")) {
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
      async send(kind, body, about) {
        try {
          return await api[kind]({ ...body, client_id: newId() });
        } catch (error) {
          if (!isFinal(error)) throw error;
          ctx.notice(notKept(about, error));
          return null;
        }
      },
      flush: () => Promise.resolve(),
      arrive() {},
    },
    person: () => settings.get("person", "me"),
    owns: () => true,
    leaseSeconds: () => 60,
    announce: (text) => (live.textContent = text),
    notice: (text) => (notice.textContent = text),
    online() {},
    trouble: (error) => (notice.textContent = error.message),
    progress() {},
    go: show,
    done: (text) => (notice.textContent = text),
    async undo() {
      try {
        notice.textContent = undone(await api.undo({ annotator: ctx.person() }));
        return true;
      } catch (error) {
        notice.textContent = error.message;
        return false;
      }
    },
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
    "data-lm-suppress-shortcuts": "true", // JupyterLab's keys, some of which delete cells, rest here
    onkeydown: (event) => {
      const action = actionOf(event);
      // Keys of the notebook must not act on its cells while somebody answers here.
      if ((action !== null || isOwn(event)) && current?.act(action, event)) {
        event.preventDefault();
        event.stopPropagation();
      }
    },
  }, tabs, notice, main, live);
  root.addEventListener("likewise-stack", ({ detail }) => showStack(detail, ctx));
  el.append(root);
  const ended = keepFocus(root);
  show("answer");
  return () => {
    current?.close();
    ended();
  };
}

// Every question is drawn anew, and what had the focus is gone with the last one: without this, the
// next key would go to the notebook.
function keepFocus(root) {
  let inside = false;
  const elsewhere = (event) => (inside = root.contains(event.target));
  const back = new MutationObserver(() => {
    if (inside && document.activeElement === document.body && !document.querySelector("dialog[open]")) root.focus({ preventScroll: true });
  });
  root.addEventListener("focusin", () => (inside = true));
  document.addEventListener("pointerdown", elsewhere, true);
  document.addEventListener("focusin", elsewhere, true);
  back.observe(root, { childList: true, subtree: true });
  return () => {
    back.disconnect();
    document.removeEventListener("pointerdown", elsewhere, true);
    document.removeEventListener("focusin", elsewhere, true);
  };
}

export default { render };
