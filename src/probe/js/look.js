// In front of a snapshot: who is this document, and which elements are there now?
const lookNow = (ask) => {
  const page = pageNow();
  if (ask.mark) {
    const seen = new WeakMap();
    const byName = new Map();
    let controls = 0;
    for (const root of readableRoots()) {
      for (const element of root.querySelectorAll("*")) {
        const entry = { name: null, row: "" };
        seen.set(element, entry);
        if (!element.matches(INTERACTIVE)) continue;
        controls += 1;
        entry.name = nameOf(element);
        const same = `${element.tagName} ${entry.name}`;
        const first = byName.get(same);
        if (first === undefined) byName.set(same, [element, entry]);
        else {
          if (first) first[1].row = rowOf(first[0]);
          byName.set(same, null);
          entry.row = rowOf(element);
        }
      }
    }
    const state = document[KEY] || {};
    state.seen = seen;
    state.controls = controls;
    Object.defineProperty(document, KEY, { value: state, configurable: true });
  }
  page.marked = Boolean(ask.mark);
  // Input that this document has got so far.
  const counts = performance.eventCounts;
  page.inputs = counts ? (counts.get("pointerdown") || 0) + (counts.get("keydown") || 0) : 0;
  page.ageMs = Math.round(performance.now());
  page.status = (performance.getEntriesByType("navigation")[0] || {}).responseStatus || 0;
  page.dialogs = openDialogs().map((dialog) => nameOf(dialog));
  return page;
};
// The snapshot behind this row waits for the whole document; marks that were made while it was still
// being read would miss the rest.
const look = (ask) => {
  if (document.readyState !== "loading") return lookNow(ask);
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(limit);
      try {
        resolve(lookNow(ask));
      } catch (error) {
        resolve({ probeError: String(error) });
      }
    };
    const limit = setTimeout(finish, ask.parseMs);
    document.addEventListener("DOMContentLoaded", finish, { once: true });
  });
};
