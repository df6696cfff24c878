"use strict";
// Asks one question after the other. Everything from the pile is set as text, never as HTML.
const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const kept = `likewise-questionnaire-${data.study}-${data.questions.length && data.questions[0].id}`;
const answers = new Map();
let place = 0;
let shownAt = performance.now();

function remember() {
  // A file opened from the disk may not be allowed to keep anything; then the window must stay open.
  try { localStorage.setItem(kept, JSON.stringify({ who: at("who").value, answers: [...answers] })); } catch { /* as said */ }
}

function recall() {
  at("who").value = data.who;
  try {
    const earlier = JSON.parse(localStorage.getItem(kept) || "null");
    if (!earlier) return;
    at("who").value = earlier.who || data.who;
    const known = new Set(data.questions.map((one) => one.id));
    for (const [id, answer] of earlier.answers) if (known.has(id)) answers.set(id, answer);
    const open = data.questions.findIndex((one) => !answers.has(one.id));
    place = open < 0 ? data.questions.length : open;
  } catch { /* nothing was kept */ }
}

function element(tag, text) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  return made;
}

function drawn(item) {
  const box = element("section");
  if (item.picture) {
    const picture = element("img");
    picture.src = item.picture;
    picture.alt = item.id;
    box.append(picture);
  }
  if (item.text !== undefined) box.append(element("p", item.text));
  if (item.row) {
    const table = element("table");
    for (const [name, cell] of item.row) {
      const row = table.insertRow();
      row.append(element("td", name), element("td", cell));
    }
    box.append(table);
  }
  box.append(element("small", item.id));
  return box;
}

function show() {
  const n = data.questions.length;
  const over = place >= n;
  at("pair").replaceChildren();
  for (const id of ["asked", "buttons", "pair"]) at(id).hidden = over;
  at("back").hidden = place === 0;
  at("save").classList.toggle("ready", over);
  at("progress").textContent = over
    ? `All ${n} questions are answered. Save the file and send it back. Thank you!`
    : `Question ${place + 1} of ${n}`;
  if (over) return;
  const question = data.questions[place];
  for (const item of question.items) at("pair").append(drawn(data.items[item]));
  const given = answers.get(question.id);
  for (const button of document.querySelectorAll("[data-verdict]"))
    button.setAttribute("aria-pressed", String(Boolean(given) && given.verdict === button.dataset.verdict));
  shownAt = performance.now();
}

function answer(verdict) {
  if (place >= data.questions.length) return;
  const seconds = Math.round((performance.now() - shownAt) / 10) / 100;
  answers.set(data.questions[place].id, { verdict, seconds, when: new Date().toISOString() });
  place += 1;
  at("note").textContent = "";
  remember();
  show();
}

function back() {
  if (place > 0) place -= 1;
  show();
}

function save() {
  const who = at("who").value.trim();
  if (!who) {
    at("note").textContent = "Please write your name first.";
    at("who").focus();
    return;
  }
  if (!answers.size) {
    at("note").textContent = "There is no answer yet.";
    return;
  }
  const given = [...answers].map(([question, one]) => ({ question, ...one }));
  const reply = { questionnaire: data.format, study: data.study, who, answers: given };
  const link = element("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(reply, null, 1)], { type: "application/json" }));
  link.download = `answers-${who.replace(/[^\p{L}\p{N}]+/gu, "-")}.json`;
  link.click();
  at("note").textContent = `Saved ${given.length} answers as ${link.download}. Please send that file back.`;
}

for (const button of document.querySelectorAll("[data-verdict]"))
  button.addEventListener("click", () => answer(button.dataset.verdict));
at("back").addEventListener("click", back);
at("save").addEventListener("click", save);
at("who").addEventListener("input", remember);
document.addEventListener("keydown", (event) => {
  if (event.target.tagName === "INPUT" || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const verdict = { ArrowLeft: "different", ArrowRight: "same", " ": "unsure" }[event.key];
  if (verdict === "unsure" && event.target.tagName === "BUTTON") return;
  if (event.key === "Backspace") back();
  else if (verdict) answer(verdict);
  else return;
  event.preventDefault();
});
recall();
show();
