// Moving by arrow keys among things that lie in rows, however many fit beside each other.

const ROW = 12; // pixels by which things of one row may differ in height

// Where a row ends depends on the window: the next one below is looked for.
function below(elements, k, step) {
  const box = elements[k].getBoundingClientRect();
  const others = elements.map((one, n) => ({ n, at: one.getBoundingClientRect() })).filter(({ at }) => (step > 0 ? at.top > box.top + ROW : at.top < box.top - ROW));
  if (!others.length) return k;
  const row = (step > 0 ? Math.min : Math.max)(...others.map(({ at }) => at.top));
  return others.filter(({ at }) => Math.abs(at.top - row) <= ROW).sort((a, b) => Math.abs(a.at.left - box.left) - Math.abs(b.at.left - box.left))[0].n;
}

// The element to which a key leads from the k-th; null if the key leads nowhere.
export function ledTo(elements, k, { key, altKey, ctrlKey, metaKey }) {
  if (altKey || ctrlKey || metaKey) return null;
  const last = elements.length - 1;
  if (key === "ArrowDown" || key === "ArrowUp") return below(elements, k, key === "ArrowDown" ? 1 : -1);
  return { ArrowRight: Math.min(last, k + 1), ArrowLeft: Math.max(0, k - 1), Home: 0, End: last }[key] ?? null;
}
