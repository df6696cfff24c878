// A swipe to the right says "same", one to the left "different"; the buttons do the same.

const FAR = 70; // pixels
const STEEP = 0.6;

export function onSwipe(element, { left, right, blocked }) {
  let start = null;
  element.addEventListener("touchstart", (event) => {
    start = event.touches.length === 1 ? { x: event.touches[0].clientX, y: event.touches[0].clientY } : null;
  }, { passive: true });
  element.addEventListener("touchend", (event) => {
    if (!start || blocked()) return;
    const dx = event.changedTouches[0].clientX - start.x;
    const dy = event.changedTouches[0].clientY - start.y;
    start = null;
    if (Math.abs(dx) < FAR || Math.abs(dy) > STEEP * Math.abs(dx)) return;
    (dx > 0 ? right : left)();
  }, { passive: true });
}
