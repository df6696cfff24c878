// Both pictures are enlarged and moved together, so that the same corner is seen in each.

const ENLARGED = 3;
const MOST = 12;

export function linkedZoom(root) {
  const images = [...root.querySelectorAll(".card .stage img")];
  let scale = 1;
  let x = 0;
  let y = 0;
  let held = null;

  function draw() {
    const reach = (scale - 1) / 2;
    x = Math.min(reach, Math.max(-reach, x));
    y = Math.min(reach, Math.max(-reach, y));
    for (const image of images) {
      image.style.transform = scale === 1 ? "" : `translate(${100 * x}%, ${100 * y}%) scale(${scale})`;
      // The full resolution is only worth its bytes once somebody looks closely.
      if (scale > 1 && image.src !== new URL(image.dataset.full, location.href).href) image.src = image.dataset.full;
    }
    root.classList.toggle("zoomed", scale > 1);
  }

  function zoomAt(event, factor) {
    const box = event.currentTarget.getBoundingClientRect();
    const px = (event.clientX - box.left) / box.width - 0.5;
    const py = (event.clientY - box.top) / box.height - 0.5;
    const next = Math.min(MOST, Math.max(1, scale * factor));
    x = px - ((px - x) * next) / scale;
    y = py - ((py - y) * next) / scale;
    scale = next;
    draw();
  }

  for (const image of images) {
    const stage = image.parentElement;
    stage.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && scale === 1 && event.deltaY > 0) return;
      event.preventDefault();
      zoomAt(event, Math.exp(-event.deltaY / 300));
    }, { passive: false });
    stage.addEventListener("dblclick", (event) => (scale > 1 ? reset() : zoomAt(event, ENLARGED)));
    stage.addEventListener("pointerdown", (event) => {
      if (scale === 1) return;
      held = { x: event.clientX, y: event.clientY };
      stage.setPointerCapture(event.pointerId);
    });
    stage.addEventListener("pointermove", (event) => {
      if (!held) return;
      const box = stage.getBoundingClientRect();
      x += (event.clientX - held.x) / box.width;
      y += (event.clientY - held.y) / box.height;
      held = { x: event.clientX, y: event.clientY };
      draw();
    });
    stage.addEventListener("pointerup", () => (held = null));
    stage.addEventListener("pointercancel", () => (held = null));
  }

  function reset() {
    scale = 1;
    x = y = 0;
    draw();
  }

  return {
    toggle() {
      if (scale > 1) return reset();
      scale = ENLARGED;
      draw();
    },
    get on() {
      return scale > 1;
    },
  };
}

// Each card in the place of the other, with its caption: what differs is seen to move.
export function flip(root) {
  const [one, other] = root.querySelectorAll(".card:has(.stage img)");
  if (one && other) other.after(one);
}
