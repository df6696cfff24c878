// The map: a dot per item. Dots are written straight into pixels, so that 100 000 stay smooth.

import { small } from "./cards.js";
import { fill, h, plural, spinner } from "./dom.js";
import { encloses, lassoSheet } from "./lasso.js";

// Told apart also by people who see few colours (after Okabe and Ito), and repeated with other shapes.
const COLOURS = [[0, 114, 178], [230, 159, 0], [0, 158, 115], [204, 121, 167], [86, 180, 233], [213, 94, 0], [140, 120, 30], [120, 94, 240]];
const SIDE = 10000;
const CELLS = 128; // the grid in which the dot under the pointer is sought
const NEAR = 12; // pixels
const LISTED = 24; // groups named in the legend
const ARRANGED = { looks: "By likeness", groups: "By the groups so far" };

export function mapView(root, ctx) {
  let gone = false;
  let data = null;
  let grid = null;
  let centres = new Map();
  let titles = new Map(); // what groups without a name are called, by label
  let pictures = new Map(); // one of each group that is listed, by label
  let chosen = null;
  let view = { scale: 1, x: 0, y: 0 };
  let waiting = false;
  let by = ctx.settings.get("mapBy", "looks");
  let line = null; // of the lasso while it is drawn, in pixels of the canvas
  let catching = false; // whether dragging draws the lasso
  const caught = h("div", { class: "lassoed" });
  const canvas = h("canvas", { class: "map-canvas", tabindex: "0", role: "img", "aria-label": "Map of all items" });
  const tip = h("div", { class: "tip", hidden: true });
  const legend = h("ul", { class: "legend", "aria-label": "Groups" });

  async function load() {
    try {
      data = await ctx.api.map(by);
    } catch (error) {
      return ctx.trouble(error);
    }
    if (gone) return;
    data = { ...data, x: Float32Array.from(data.x), y: Float32Array.from(data.y), groups: Int32Array.from(data.groups) };
    grid = indexed(data);
    centres = middles(data);
    fill(
      root,
      h(
        "section",
        { class: "map", "aria-labelledby": "map-title" },
        h("div", { class: "ask-line" }, h("h1", { id: "map-title", tabindex: "-1" }, "Map"), h("p", { class: "quiet" }, `${plural(data.x.length, "item")}; alike ones lie near each other. Drag to move, scroll to enlarge; with shift, or the lasso, draw a line round some to sort them.`), arranged()),
        h("div", { class: "map-frame" }, canvas, tip, h("div", { class: "map-tools" }, tool("+", "Enlarge", () => zoom(1.5)), tool("−", "Reduce", () => zoom(1 / 1.5)), tool("⤢", "Show all", reset), lassoTool())),
        caught,
        legend,
      ),
    );
    drawLegend();
    new ResizeObserver(() => redraw()).observe(canvas);
    callByTitles();
    ctx.announce(`A map of ${plural(data.x.length, "item")} in ${plural(centres.size, "group")}.`);
  }

  // The map is there before it is known what its groups are called.
  async function callByTitles() {
    const found = await ctx.api.groupTitles(LISTED).catch(() => []);
    if (gone) return;
    titles = new Map(found.map(({ group, title }) => [group, title]));
    drawLegend();
    redraw();
    const cards = await ctx.api.items(listed().map(([, { first }]) => first)).catch(() => []);
    if (gone) return;
    pictures = new Map(cards.filter(({ picture }) => picture).map((card) => [data.groups[card.item], card]));
    drawLegend();
  }

  // Where dots lie: by what items look like, or so that the present groups lie apart.
  function arranged() {
    const choice = h("select", { "aria-label": "How the map is arranged", onchange: () => { by = choice.value; ctx.settings.set("mapBy", by); reset(); load(); } }, Object.entries(ARRANGED).map(([name, title]) => h("option", { value: name, selected: name === by }, title)));
    return choice;
  }

  function lassoTool() {
    const button = tool("◌", "Lasso", () => {
      catching = !catching;
      button.setAttribute("aria-pressed", String(catching));
    });
    button.setAttribute("aria-pressed", String(catching));
    return button;
  }

  const tool = (sign, label, work) => h("button", { type: "button", "aria-label": label, title: label, onclick: work }, sign);
  const nameOf = (group) => data.names[group] || titles.get(group) || `Group ${group}`;
  const colourOf = (group) => COLOURS[group % COLOURS.length];
  const shapeOf = (group) => Math.floor(group / COLOURS.length) % SHAPES.length;

  // Beside the name it says nothing new to who cannot see it.
  function shown(card) {
    const picture = small(card, ctx.api, 32);
    picture.alt = "";
    return picture;
  }

  const listed = () => [...centres.entries()].sort((a, b) => b[1].size - a[1].size).slice(0, LISTED);

  function drawLegend() {
    fill(
      legend,
      listed().map(([group, { size }]) => {
        const swatch = drawn(shapeOf(group), colourOf(group));
        return h("li", {}, h("button", { type: "button", "aria-pressed": String(chosen === group), onclick: () => choose(group) }, swatch, pictures.has(group) && shown(pictures.get(group)), nameOf(group), h("span", { class: "quiet" }, ` ${size}`)));
      }),
      centres.size > LISTED && h("li", { class: "quiet" }, `and ${centres.size - LISTED} more`),
    );
  }

  function choose(group) {
    chosen = chosen === group ? null : group;
    drawLegend();
    redraw();
  }

  // -- drawing -------------------------------------------------------------------------------

  function redraw() {
    if (waiting || gone) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      if (!gone) paint();
    });
  }

  function paint() {
    const ratio = Math.min(devicePixelRatio || 1, 2);
    const width = Math.round(canvas.clientWidth * ratio);
    const height = Math.round(canvas.clientHeight * ratio);
    if (!width || !height) return;
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    const pen = canvas.getContext("2d");
    const image = pen.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const { scale, left, top } = frame(width, height);
    const radius = Math.max(1, Math.round((data.x.length > 20000 ? 1 : data.x.length > 2000 ? 2 : 4) * ratio * Math.min(view.scale, 2) ** 0.5));
    const stamps = SHAPES.map((shape) => Int32Array.from(shape(radius), ([dx, dy]) => dy * width + dx));
    const { x: xs, y: ys, groups } = data;
    const inks = new Uint32Array(Math.max(...centres.keys()) + 1);
    for (const group of centres.keys()) {
      const [r, g, b] = colourOf(group);
      const faint = chosen !== null && chosen !== group;
      inks[group] = ((faint ? 50 : 235) << 24) | (b << 16) | (g << 8) | r;
    }
    for (let k = 0; k < xs.length; k++) {
      const x = Math.round(left + xs[k] * scale);
      const y = Math.round(top + ys[k] * scale);
      if (x < radius || y < radius || x >= width - radius || y >= height - radius) continue;
      const group = groups[k];
      const stamp = stamps[shapeOf(group)];
      const ink = inks[group];
      const at = y * width + x;
      for (let n = 0; n < stamp.length; n++) pixels[at + stamp[n]] = ink;
    }
    pen.putImageData(image, 0, 0);
    labels(pen, scale, left, top, ratio);
    if (line) drawLine(pen, ratio);
  }

  function drawLine(pen, ratio) {
    pen.beginPath();
    for (const [x, y] of line) pen.lineTo(x * ratio, y * ratio);
    pen.closePath();
    pen.lineWidth = 2 * ratio;
    pen.strokeStyle = getComputedStyle(canvas).color;
    pen.stroke();
  }

  function labels(pen, scale, left, top, ratio) {
    const style = getComputedStyle(canvas);
    pen.font = `600 ${13 * ratio}px system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.lineWidth = 4 * ratio;
    pen.strokeStyle = style.backgroundColor;
    pen.fillStyle = style.color;
    const taken = [];
    for (const [group, { x, y }] of listed()) {
      if (chosen !== null && chosen !== group) continue;
      const half = pen.measureText(nameOf(group)).width / 2 + 4 * ratio;
      const at = { x: left + x * scale, y: top + y * scale - 14 * ratio };
      // Of names that would lie on each other the larger group's is read; the legend has them all.
      if (taken.some((other) => Math.abs(other.x - at.x) < other.half + half && Math.abs(other.y - at.y) < 18 * ratio)) continue;
      taken.push({ ...at, half });
      pen.strokeText(nameOf(group), at.x, at.y);
      pen.fillText(nameOf(group), at.x, at.y);
    }
  }

  function frame(width, height) {
    const fitting = (0.92 * Math.min(width, height)) / SIDE;
    const scale = fitting * view.scale;
    return { scale, left: width / 2 - (SIDE / 2 - view.x) * scale, top: height / 2 - (SIDE / 2 - view.y) * scale };
  }

  // -- moving --------------------------------------------------------------------------------

  function zoom(factor) {
    view = { ...view, scale: Math.min(60, Math.max(1, view.scale * factor)) };
    redraw();
  }

  function reset() {
    view = { scale: 1, x: 0, y: 0 };
    redraw();
  }

  function move(dx, dy) {
    const { scale } = frame(canvas.clientWidth, canvas.clientHeight);
    view = { ...view, x: view.x + dx / scale, y: view.y + dy / scale };
    redraw();
  }

  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 400));
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] }[event.key];
    if (step) move(...step);
    else if (event.key === "+") zoom(1.5);
    else if (event.key === "-") zoom(1 / 1.5);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  let held = null;
  canvas.addEventListener("pointerdown", (event) => {
    held = { x: event.clientX, y: event.clientY, moved: 0 };
    line = catching || event.shiftKey ? [[event.offsetX, event.offsetY]] : null;
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!held) return hover(event);
    const dx = event.clientX - held.x;
    const dy = event.clientY - held.y;
    held = { x: event.clientX, y: event.clientY, moved: held.moved + Math.abs(dx) + Math.abs(dy) };
    if (!line) return move(dx, dy);
    line.push([event.offsetX, event.offsetY]);
    redraw();
  });
  canvas.addEventListener("pointerup", (event) => {
    const still = held && held.moved < 5;
    held = null;
    if (line && !still) return catchItems();
    line = null;
    const item = still ? under(event) : null;
    if (item !== null) ctx.go("groups", data.groups[item]);
  });
  function catchItems() {
    const { scale, left, top } = frame(canvas.clientWidth, canvas.clientHeight);
    const drawn = line;
    line = null;
    redraw();
    const inside = [...data.x.keys()].filter((k) => encloses(drawn, left + data.x[k] * scale, top + data.y[k] * scale));
    lassoSheet(caught, ctx, inside, load);
  }

  canvas.addEventListener("pointerleave", () => (tip.hidden = true));

  // -- what lies under the pointer -----------------------------------------------------------

  function under(event) {
    if (!grid) return null;
    const box = canvas.getBoundingClientRect();
    const { scale, left, top } = frame(box.width, box.height);
    const x = (event.clientX - box.left - left) / scale;
    const y = (event.clientY - box.top - top) / scale;
    return nearest(data, grid, x, y, NEAR / scale);
  }

  let hovered = null;
  async function hover(event) {
    const item = under(event);
    canvas.style.cursor = item === null ? "grab" : "pointer";
    if (item === null) {
      tip.hidden = true;
      hovered = null;
      return;
    }
    const box = canvas.getBoundingClientRect();
    tip.style.left = `${Math.min(event.clientX - box.left + 14, box.width - 180)}px`;
    tip.style.top = `${event.clientY - box.top + 14}px`;
    if (hovered === item) return;
    hovered = item;
    const [card] = await ctx.api.items([item]).catch(() => [null]);
    if (hovered !== item || !card) return;
    fill(tip, small(card, ctx.api), h("strong", {}, card.id), h("span", { class: "quiet" }, nameOf(data.groups[item])));
    tip.hidden = false;
  }

  fill(root, h("section", { class: "empty" }, spinner("Drawing the map…")));
  load();
  return { act: () => false, close: () => (gone = true) };
}

// -- shapes: what lies in the same colour is told apart by form --------------------------------

// Each is a list of the pixels it covers, from its middle; `r` reaches from there to its edge.

const within = (r) => Array.from({ length: 2 * r + 1 }, (_, k) => k - r);
const square = (r) => within(r).flatMap((dy) => within(r).map((dx) => [dx, dy]));
const dot = (r) => square(r).filter(([dx, dy]) => Math.abs(dx) <= Math.round(Math.sqrt(r * r + r * 0.3 - dy * dy) || 0));
const cross = (r) => within(r).flatMap((d) => [[d, d], [-d, d]]);
const ring = (r) => square(r).filter(([dx, dy]) => Math.max(Math.abs(dx), Math.abs(dy)) === r);
const SHAPES = [dot, square, cross, ring];

// A shape as the map draws it, for the legend.
function drawn(shape, colour) {
  const r = 6;
  const image = h("canvas", { class: "swatch", width: 2 * r + 1, height: 2 * r + 1, "aria-hidden": "true" });
  const pen = image.getContext("2d");
  pen.fillStyle = `rgb(${colour.join(" ")})`;
  for (const [dx, dy] of SHAPES[shape](r)) pen.fillRect(r + dx, r + dy, 1, 1);
  return image;
}

// -- finding -----------------------------------------------------------------------------------

const cell = (value) => Math.min(CELLS - 1, Math.max(0, Math.floor((value / SIDE) * CELLS)));

function indexed({ x, y }) {
  const starts = new Uint32Array(CELLS * CELLS + 1);
  const home = Uint32Array.from(x, (_, k) => cell(y[k]) * CELLS + cell(x[k]));
  for (const place of home) starts[place + 1]++;
  for (let c = 0; c < CELLS * CELLS; c++) starts[c + 1] += starts[c];
  const next = starts.slice();
  const items = new Uint32Array(x.length);
  home.forEach((place, k) => (items[next[place]++] = k));
  return { starts, items };
}

function nearest({ x, y }, { starts, items }, px, py, reach) {
  let best = null;
  let least = reach * reach;
  for (let row = cell(py - reach); row <= cell(py + reach); row++) {
    for (let column = cell(px - reach); column <= cell(px + reach); column++) {
      const place = row * CELLS + column;
      for (let k = starts[place]; k < starts[place + 1]; k++) {
        const item = items[k];
        const away = (x[item] - px) ** 2 + (y[item] - py) ** 2;
        if (away < least) [least, best] = [away, item];
      }
    }
  }
  return best;
}

function middles({ x, y, groups }) {
  const found = new Map();
  groups.forEach((group, k) => {
    const middle = found.get(group) ?? { x: 0, y: 0, size: 0, first: k };
    middle.x += x[k];
    middle.y += y[k];
    middle.size += 1;
    found.set(group, middle);
  });
  for (const middle of found.values()) {
    middle.x /= middle.size;
    middle.y /= middle.size;
  }
  return found;
}
