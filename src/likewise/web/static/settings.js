// What this browser remembers: the person's name, the keys, and whether keys are on.

const PLACE = "likewise";

function read() {
  try {
    return JSON.parse(localStorage.getItem(PLACE)) ?? {};
  } catch {
    return {};
  }
}

const kept = read();

export const settings = {
  get: (name, otherwise) => kept[name] ?? otherwise,
  set(name, value) {
    kept[name] = value;
    try {
      localStorage.setItem(PLACE, JSON.stringify(kept));
    } catch {
      // A browser that keeps nothing still works until it is closed.
    }
  },
};
