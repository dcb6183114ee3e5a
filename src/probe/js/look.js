// What the document before this one has left here (see watchDialogs), where it is not an old one.
const NOTE = "agent-browser-native";
const NOTE_MS = 30000;
const takeNote = () => {
  try {
    const note = JSON.parse(sessionStorage.getItem(NOTE));
    if (note) sessionStorage.removeItem(NOTE);
    return note && Date.now() - note.at < NOTE_MS ? note : null;
  } catch {
    return null;
  }
};
// All that is known of an element that is no control.
const NO_CONTROL = Object.freeze({ name: null, row: "", shown: true });
// In front of a snapshot: who is this document, and which elements are there now?
const lookNow = (ask) => {
  const page = pageNow();
  if (ask.mark) {
    const seen = new WeakMap();
    const byName = new Map();
    const rows = new Map();
    let controls = 0;
    for (const root of readableRoots()) {
      const labelled = new Map();
      for (const label of root.querySelectorAll("label")) {
        if (label.control) labelled.set(label.control, shorten(labelWords(label), 80));
      }
      const acts = new Set(root.querySelectorAll(INTERACTIVE));
      for (const element of root.querySelectorAll("*")) {
        if (!acts.has(element)) {
          seen.set(element, NO_CONTROL);
          continue;
        }
        controls += 1;
        const entry = { name: nameOf(element), row: "", shown: isShown(element), order: controls };
        seen.set(element, entry);
        const same = `${element.tagName} ${entry.name} ${labelled.get(element) || ""}`;
        const first = byName.get(same);
        if (first === undefined) byName.set(same, [element, entry]);
        else {
          if (first) first[1].row = rowOf(first[0], rows);
          byName.set(same, null);
          entry.row = rowOf(element, rows);
        }
      }
    }
    const state = document[KEY] || {};
    state.seen = seen;
    state.told = new WeakSet();
    state.controls = controls;
    Object.defineProperty(document, KEY, { value: state, configurable: true });
  }
  Object.assign(page, inputSoFar());
  page.status = (performance.getEntriesByType("navigation")[0] || {}).responseStatus || 0;
  const dialogs = openDialogs();
  page.dialogs = dialogs.map(dialogName);
  if (ask.mark && dialogs.length) page.front = frontOf(dialogs[0]);
  page.messages = messagesShown();
  if (ask.note && performance.now() < NOTE_MS) page.said = takeNote();
  return page;
};
// A page whose scripts have yet to draw it: young, with scripts of its own, and hardly anything to see.
const FEW = 5;
const isDrawing = (ask) => {
  if (performance.now() > ask.youngMs || !document.body) return false;
  if (!document.querySelector("script[src],link[rel=modulepreload]")) return false;
  const controls = document.body.querySelectorAll(INTERACTIVE).length;
  return controls < FEW && document.body.innerText.length < ask.littleText;
};
// Calls back when nothing was added for a moment; a page without any control gets longer.
const whenDrawn = (ask, then) => {
  let pause = null;
  const observer = new MutationObserver(() => wait());
  const finish = () => {
    observer.disconnect();
    clearTimeout(pause);
    clearTimeout(limit);
    then();
  };
  const wait = () => {
    clearTimeout(pause);
    const empty = !document.body.querySelector(INTERACTIVE);
    pause = setTimeout(finish, empty ? ask.drawMs : ask.pauseMs);
  };
  const limit = setTimeout(finish, ask.drawMs);
  observer.observe(document, { childList: true, subtree: true });
  wait();
};
// The snapshot behind this row waits for the whole document; marks that were made while it was still
// being read would miss the rest.
const look = (ask) => {
  const loading = document.readyState === "loading";
  if (!loading && !(ask.mark && isDrawing(ask))) return lookNow(ask);
  return new Promise((resolve) => {
    const answer = () => {
      try {
        resolve(lookNow(ask));
      } catch (error) {
        resolve({ probeError: String(error) });
      }
    };
    const read = () => {
      clearTimeout(limit);
      if (ask.mark && isDrawing(ask)) whenDrawn(ask, answer);
      else answer();
    };
    const limit = setTimeout(read, ask.parseMs);
    if (loading) document.addEventListener("DOMContentLoaded", read, { once: true });
    else read();
  });
};
