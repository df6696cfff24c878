// Rows beside groups of rows: which columns tell the groups apart, and what is typical of each.

import { h } from "./dom.js";
import { bar } from "./rows.js";

const SHOWN = 4; // columns

const asNumber = (text) => (text.trim() === "" ? NaN : Number(text));
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const spread = (values) => mean(values.map((value) => (value - mean(values)) ** 2));

const valuesOf = (cards, column) => cards.map((card) => new Map(card.row).get(column) ?? "");
const scaleOf = (card, column) => card.scale[card.row.findIndex(([name]) => name === column)] ?? null;
const isNumeric = (values) => values.every((value) => !Number.isNaN(asNumber(value)));

function commonest(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1])[0][0];
}

// The columns in which groups differ most, beside how much their members differ.
export function tellingColumns(groups) {
  if (!groups.length) return [];
  const cards = groups.map((group) => group.exemplars);
  const worth = (column) => {
    const all = cards.map((some) => valuesOf(some, column));
    if (!isNumeric(all.flat())) return new Set(all.map(commonest)).size / new Set(all.flat()).size;
    const numbers = all.map((values) => values.map(asNumber));
    const whole = spread(numbers.flat());
    return whole > 0 ? spread(numbers.map(mean)) / whole : 0;
  };
  const columns = cards[0][0].row.map(([column]) => ({ column, worth: worth(column) }));
  return columns.sort((one, other) => other.worth - one.worth).slice(0, SHOWN).map(({ column }) => column);
}

function meanScale(cards, column) {
  const scales = cards.map((card) => scaleOf(card, column));
  return scales.includes(null) ? null : mean(scales);
}

// What a group is like in some columns: its mean of numbers, of other values the commonest.
export function typical(group, columns) {
  return h(
    "span",
    { class: "typical" },
    columns.map((column) => {
      const values = valuesOf(group.exemplars, column);
      const shown = isNumeric(values) ? String(Number(mean(values.map(asNumber)).toPrecision(3))) : commonest(values);
      return h("span", { title: column }, h("small", {}, column), " ", shown, bar(meanScale(group.exemplars, column)));
    }),
  );
}
