// Digits that stay with a group, however the groups are ordered, as long as the group is there.

const ALL = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"];
const STUDIES = 20; // whose digits are remembered

// A digit for each anchor of a group, undefined where all are taken.
export function digitsOf(settings, study, anchors) {
  const all = { ...settings.get("digits", {}) };
  const mine = { ...(all[study] ?? {}) };
  const taken = new Set(Object.values(mine));
  const free = ALL.filter((digit) => !taken.has(digit));
  let isNew = false;
  for (const anchor of anchors) {
    if (mine[anchor] !== undefined || !free.length) continue;
    mine[anchor] = free.shift();
    isNew = true;
  }
  if (isNew) {
    delete all[study];
    all[study] = mine; // the latest last
    settings.set("digits", Object.fromEntries(Object.entries(all).slice(-STUDIES)));
  }
  return new Map(anchors.map((anchor) => [anchor, mine[anchor]]));
}
