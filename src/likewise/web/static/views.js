// What counts: the views of the items (colour, words, when a photograph was taken), each to be
// switched off and on. All answers stay.

import { sheet } from "./dialogs.js";
import { h } from "./dom.js";

// What a view is called in words; others, of somebody's own pile, by their names.
const WORDS = {
  content: "what is on them",
  edges: "edges and shapes",
  texture: "texture",
  colour: "colour",
  time: "when they were taken",
  place: "where they were taken",
  camera: "with which camera",
  words: "the words",
  sentences: "what the sentences say",
  looks: "how they look",
  text: "what the texts say",
  columns: "the other columns",
};

// `changed` is called whenever something was switched; `study` names the one that is meant.
export function showViews(views, { api, study, person, changed, trouble }) {
  const list = h("div", { class: "views" });
  async function flip(view, box) {
    const side = box.checked ? "on" : "off";
    // One at a time: what may be switched next depends on the answer, after which all is drawn anew.
    for (const one of list.querySelectorAll("input")) one.disabled = true;
    try {
      views = await api.switchViews({ [side]: [view.name], annotator: person, study });
      said.textContent = "";
      changed();
    } catch (error) {
      if (error.status === 422) said.textContent = `${error.message}.`;
      else trouble(error);
    }
    draw(view.name);
  }
  function draw(name = null) {
    list.replaceChildren(
      ...views.map((view) => {
        const box = h("input", { type: "checkbox", checked: view.counts, onchange: () => flip(view, box), "data-view": view.name });
        return h("label", { class: "check" }, box, WORDS[view.name] ?? view.name);
      }),
    );
    if (name !== null) list.querySelector(`[data-view="${CSS.escape(name)}"]`)?.focus();
  }
  const said = h("p", { class: "quiet", role: "status" });
  draw();
  sheet(
    "What counts",
    h("p", { class: "quiet" }, "Take away what does not matter to you. Your answers stay; groups and questions follow what counts."),
    list,
    said,
  );
}
