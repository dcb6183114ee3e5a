// Did a trusted press reach the very element that the command means?
const PRESSES = ["pointerdown", "mousedown", "touchstart", "click"];
const countedPresses = () => {
  const counts = performance.eventCounts;
  return counts ? PRESSES.reduce((sum, type) => sum + (counts.get(type) || 0), 0) : 0;
};
// The clipping ancestor, or the viewport, that the middle of the element lies outside of.
const outsideOf = (element) => {
  const box = element.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  for (let up = element.parentElement; up && up !== document.body; up = up.parentElement) {
    const style = getComputedStyle(up);
    if (!/auto|scroll|hidden|clip|overlay/.test(`${style.overflowX} ${style.overflowY}`)) continue;
    const frame = up.getBoundingClientRect();
    if (x < frame.left || x > frame.right || y < frame.top || y > frame.bottom) {
      return { kind: "container", tag: up.tagName.toLowerCase(), role: up.getAttribute("role") };
    }
  }
  return x < 0 || y < 0 || x > innerWidth || y > innerHeight ? { kind: "viewport" } : null;
};
questions.press = {
  before: (ask) => {
    const element = resolveTarget(ask) || resolveTarget(ask, true);
    const kept = { element, reached: 0, elsewhere: 0, counted: countedPresses(), answer: Boolean(element) };
    if (!element) return kept;
    const labels = labelsOf(element);
    const saw = (event) => {
      if (!event.isTrusted) return;
      const path = event.composedPath();
      if (path.includes(element) || labels.some((label) => path.includes(label))) kept.reached += 1;
      else kept.elsewhere += 1;
    };
    const undo = [];
    listenToPresses(undo, window, PRESSES, saw);
    kept.undo = () => {
      for (const step of undo.splice(0)) step();
    };
    return kept;
  },
  after: (ask, kept) => {
    if (!kept || !kept.element) return undefined;
    const { element, reached, elsewhere } = kept;
    // Counted by the browser and not seen here: the page takes presses in front of everybody.
    const taken = reached + elsewhere === 0 && countedPresses() > kept.counted;
    // The browser would have to lay the page out for that.
    const outside = reached === 0 && element.isConnected ? outsideOf(element) : null;
    return { reached, elsewhere, taken, outside };
  },
};
