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
    if (ask.expect.notBlank) same = page.url !== "about:blank";
    if (ask.expect.armed) same = Boolean(document[KEY] && document[KEY].stop);
  } catch {
    same = false;
  }
  if (!same) throw new Error(ask.marker + JSON.stringify(page));
  if (ask.refound && mayBeRefound()) throw new Error(ask.refoundMarker);
};
// Controls of the snapshot are gone and new ones are there: upstream may find the ref again in one
// of these, by role and name alone.
const mayBeRefound = () => {
  const state = document[KEY];
  if (!state || !state.seen) return true;
  let kept = 0;
  let fresh = 0;
  for (const root of readableRoots()) {
    for (const element of root.querySelectorAll(INTERACTIVE)) {
      if (state.seen.has(element)) kept += 1;
      else fresh += 1;
    }
  }
  return fresh > 0 && kept < state.controls;
};
// Frameworks set attributes to what they are, or away and back: nothing has changed then.
const leavesTrace = (records) => {
  const firsts = new Map();
  for (const record of records) {
    if (record.type !== "attributes") return true;
    const olds = firsts.get(record.target) || new Map();
    if (!olds.has(record.attributeName)) olds.set(record.attributeName, record.oldValue);
    firsts.set(record.target, olds);
  }
  const differs = ([target, olds]) => [...olds].some(([name, old]) => target.getAttribute(name) !== old);
  return [...firsts].some(differs);
};
const before = (ask) => {
  const page = pageNow();
  if (!ask.watch) return page;
  const earlier = document[KEY] || {};
  if (earlier.stop) earlier.stop();
  const state = { seen: earlier.seen, controls: earlier.controls, told: earlier.told };
  Object.defineProperty(document, KEY, { value: state, configurable: true });
  state.url = location.href;
  state.doc = identityOf(window);
  state.texts = liveTexts();
  const roots = readableRoots();
  state.dialogs = new Set(openDialogs(roots));
  state.changed = false;
  state.focus = deepActive();
  state.busy = busyParts();
  const undo = [];
  const noticed = () => {
    state.changed = true;
    state.changedAt = performance.now();
    if (state.onChange) state.onChange();
  };
  const ownAttribute = (record) =>
    record.type === "attributes" && record.attributeName.startsWith("data-agent-browser");
  const observer = new MutationObserver((records) => {
    // Upstream marks what a locator has found.
    for (const record of records) if (ownAttribute(record)) state.located = record.target;
    if (leavesTrace(records.filter((record) => !ownAttribute(record)))) noticed();
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
    state.acted = true;
    if (state.arrive) state.arrive(event.type);
    const target = targetOf(event);
    if (!target || target.nodeType !== 1) return;
    const known = state.seen ? state.seen.get(target) : null;
    if (ask.guard && state.seen && !known) {
      state.stopped = { name: nameOf(target) };
      refuse(event);
      return;
    }
    if (/^(click|mousedown|touchstart)$/.test(event.type)) {
      state.reached = state.reached || target.matches(INTERACTIVE);
      noteTarget(target, known);
    }
  };
  // Upstream fills and selects by script: the first event then tells the element.
  const touched = (event) => {
    const target = targetOf(event);
    if (ask.guard && target && target.nodeType === 1) {
      noteTarget(target, state.seen ? state.seen.get(target) : null);
    }
  };
  const refuse = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const noteTarget = (target, known) => {
    if (state.target) return;
    state.target = target;
    const popup = target.closest("[aria-expanded]");
    state.expanded = popup && popup.getAttribute("aria-expanded");
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
  for (const root of roots) {
    observer.observe(root, { subtree: true, childList: true, attributeOldValue: true, characterData: true });
    if (root.nodeType !== 9) continue;
    const view = root.defaultView || window;
    for (const type of events) {
      view.addEventListener(type, hit, true);
      undo.push(() => view.removeEventListener(type, hit, true));
    }
    for (const type of ["mouseover", "focusin", "input", "change"]) {
      view.addEventListener(type, touched, true);
      undo.push(() => view.removeEventListener(type, touched, true));
    }
    // A popover shows itself without a change of any attribute. A `change` without an `input` only ends
    // what was typed by an earlier command.
    for (const type of ["input", "beforetoggle", "toggle"]) {
      view.addEventListener(type, noticed, true);
      undo.push(() => view.removeEventListener(type, noticed, true));
    }
  }
  // A document that is being left says so before it goes: then the next one is the answer.
  const leaves = (event) => {
    if (event.downloadRequest !== undefined && event.downloadRequest !== null) {
      state.download = true;
      if (state.onChange) state.onChange();
    }
    const stays = event.type === "navigate"
      ? event.destination.sameDocument || event.downloadRequest !== null
      : event.target.method === "dialog" || !/^(_self|_top|_parent|)$/.test(event.target.target);
    if (stays) return;
    state.leaving = event;
    if (state.onChange) state.onChange(true);
  };
  for (const [where, type] of [[window, "submit"], [window.navigation, "navigate"]]) {
    if (!where) continue;
    where.addEventListener(type, leaves);
    undo.push(() => where.removeEventListener(type, leaves));
  }
  const collects = () => {
    state.collected = true;
  };
  window.addEventListener("formdata", collects);
  undo.push(() => window.removeEventListener("formdata", collects));
  watchForms(state, undo);
  if (ask.requests) watchRequests(state, undo);
  if (ask.guard) holdPage(state, undo);
  state.fields = new Map();
  for (const field of [...document.querySelectorAll("input,select,textarea")].slice(0, 500)) {
    state.fields.set(field, [field.value, field.checked]);
  }
  const timer = setTimeout(() => state.stop(), ask.expireMs);
  undo.push(() => clearTimeout(timer));
  state.stop = () => {
    for (const step of undo.splice(0)) step();
    const kept = { seen: state.seen, controls: state.controls, told: state.told };
    Object.defineProperty(document, KEY, { value: kept, configurable: true });
  };
  page.armed = true;
  page.marked = Boolean(state.seen);
  return page;
};
