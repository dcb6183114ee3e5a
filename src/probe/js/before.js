// In front of an acting command: refuse another document, then watch what the command does.
// Whatever goes wrong in the check counts as another document: no understood answer, no act.
const checkIdentity = (ask) => {
  if (!ask.expect) return;
  let page = {};
  let same = false;
  try {
    page = pageNow();
    same =
      page.doc === ask.expect.doc &&
      (!ask.expect.frames || JSON.stringify(page.frames) === JSON.stringify(ask.expect.frames));
    // Between two rows of ours a new document shows by the missing observers.
    if (ask.expect.armed) same = Boolean(document[KEY] && document[KEY].stop);
  } catch {
    same = false;
  }
  if (!same) throw new Error(ask.marker + JSON.stringify(page));
};
const before = (ask) => {
  const page = pageNow();
  if (!ask.watch) return page;
  const earlier = document[KEY] || {};
  if (earlier.stop) earlier.stop();
  const state = { seen: earlier.seen };
  Object.defineProperty(document, KEY, { value: state, configurable: true });
  state.url = location.href;
  state.doc = identityOf(window);
  state.texts = liveTexts();
  state.dialogs = new Set(openDialogs());
  state.changed = false;
  state.focus = deepActive();
  const undo = [];
  const noticed = () => {
    state.changed = true;
    if (state.onChange) state.onChange();
  };
  const ownAttribute = (record) =>
    record.type === "attributes" && record.attributeName.startsWith("data-agent-browser");
  const observer = new MutationObserver((records) => {
    if (!records.every(ownAttribute)) noticed();
  });
  undo.push(() => observer.disconnect());
  const targetOf = (event) =>
    event.composedPath().find((node) => node.nodeType === 1 && node.matches(INTERACTIVE)) ||
    event.composedPath()[0];
  const hit = (event) => {
    if (!event.isTrusted || state.stopped) {
      if (state.stopped && event.isTrusted) refuse(event);
      return;
    }
    const target = targetOf(event);
    if (!target || target.nodeType !== 1) return;
    const known = state.seen ? state.seen.get(target) : null;
    if (ask.guard && state.seen && !known) {
      state.stopped = { name: nameOf(target) };
      refuse(event);
      return;
    }
    if (/^(click|mousedown|touchstart)$/.test(event.type)) noteTarget(target, known);
  };
  const refuse = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const noteTarget = (target, known) => {
    if (state.target) return;
    state.target = target;
    if (known && known.name !== null) {
      const name = nameOf(target);
      if (name !== known.name) state.renamed = name;
      else if (known.row && rowOf(target) !== known.row) state.moved = rowOf(target);
    }
    const link = target.closest("a[download]");
    if (link) state.download = true;
  };
  const events = ["pointerdown", "mousedown", "touchstart", "pointerup", "mouseup", "click",
    "dblclick", "auxclick", "beforeinput", "keydown", "dragstart"];
  for (const root of readableRoots()) {
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    if (root.nodeType !== 9) continue;
    const view = root.defaultView || window;
    for (const type of events) {
      view.addEventListener(type, hit, true);
      undo.push(() => view.removeEventListener(type, hit, true));
    }
    for (const type of ["input", "change"]) {
      view.addEventListener(type, noticed, true);
      undo.push(() => view.removeEventListener(type, noticed, true));
    }
  }
  // A document that is being left says so before it goes: then the next one is the answer.
  const leaves = (event) => {
    const stays = event.type === "navigate"
      ? event.destination.sameDocument || event.downloadRequest !== null
      : event.target.method === "dialog" || !/^(_self|_top|_parent|)$/.test(event.target.target);
    if (stays) return;
    state.leaving = event;
    if (state.onChange) state.onChange();
  };
  for (const [where, type] of [[window, "submit"], [window.navigation, "navigate"]]) {
    if (!where) continue;
    where.addEventListener(type, leaves);
    undo.push(() => where.removeEventListener(type, leaves));
  }
  state.fields = new Map();
  for (const field of [...document.querySelectorAll("input,select,textarea")].slice(0, 500)) {
    state.fields.set(field, [field.value, field.checked]);
  }
  const timer = setTimeout(() => state.stop(), ask.expireMs);
  undo.push(() => clearTimeout(timer));
  state.stop = () => {
    for (const step of undo.splice(0)) step();
    const kept = { seen: state.seen };
    Object.defineProperty(document, KEY, { value: kept, configurable: true });
  };
  page.armed = true;
  page.marked = Boolean(state.seen);
  return page;
};
