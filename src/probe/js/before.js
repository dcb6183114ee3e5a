// In front of an acting command: watch what it does, until the row behind it asks.
const listenTo = (undo, where, type, listener, capture = false) => {
  where.addEventListener(type, listener, capture);
  undo.push(() => {
    try {
      where.removeEventListener(type, listener, capture);
    } catch {
      // A frame that has gone to another origin; its listeners went with the document.
    }
  });
};
// A listener for one of these makes the browser draw, and the mouse waits for that frame, up to 17 ms:
// they are set once the mouse has come, ahead of its press. A finger comes unannounced.
const DRAWN = ["pointerdown", "pointerup", "touchstart"];
const listenToPresses = (undo, view, types, listener, touch = navigator.maxTouchPoints > 0) => {
  const listen = (some) => {
    for (const type of some) listenTo(undo, view, type, listener, true);
  };
  const isLate = (type) => !touch && DRAWN.includes(type);
  listen(types.filter((type) => !isLate(type)));
  const late = types.filter(isLate);
  if (late.length) listenTo(undo, view, "mousemove", (event) => {
    if (event.isTrusted) listen(late.splice(0));
  }, true);
};
const wrap = (undo, owner, name, around) => {
  const own = owner && owner[name];
  // A page may have taken it away.
  if (typeof own !== "function") return;
  const seen = new Proxy(own, {
    apply: (call, self, args) => around(() => Reflect.apply(call, self, args), self, args),
  });
  owner[name] = seen;
  undo.push(() => {
    try {
      // Somebody else may have wrapped it since.
      if (owner[name] === seen) owner[name] = own;
    } catch {
      // A frame that has gone to another origin.
    }
  });
};
// A window that closes itself would take the question behind the command with it, and upstream waits
// 30 s for the answer of a tab that is gone. It closes right behind that answer.
const holdClose = (state, undo) => {
  wrap(undo, window, "close", (call) => {
    state.closing = call;
    if (state.onChange) state.onChange(true);
  });
  undo.push(() => {
    if (state.closing) setTimeout(state.closing, 0);
  });
};
// A form's fields hide its own properties of the same name: only attributes tell, those of the
// pressed button first. A component may call an event of its own so.
const staysBySubmit = ({ target: form, submitter }) => {
  if (!(form instanceof HTMLFormElement)) return true;
  const given = (element, name) => Element.prototype.getAttribute.call(element, name);
  const own = (name) => submitter && given(submitter, `form${name}`);
  const told = (name) => (own(name) || given(form, name) || "").toLowerCase();
  return told("method") === "dialog" || !/^(_self|_top|_parent|)$/.test(told("target"));
};
// A router that takes a navigation over keeps the document, and nothing but its call says so.
const noteTakenOver = (undo) => {
  const taken = new WeakSet();
  const watch = (event) => wrap(undo, event, "intercept", (call) => {
    taken.add(event);
    return call();
  });
  listenTo(undo, window.navigation, "navigate", watch, true);
  return taken;
};
// A document that is being left says so before it goes: then the next one is the answer.
const watchLeaving = (state, undo) => {
  state.taken = window.navigation ? noteTakenOver(undo) : new WeakSet();
  const leaves = (event) => {
    if (event.downloadRequest !== undefined && event.downloadRequest !== null) {
      state.download = true;
      if (state.onChange) state.onChange();
    }
    const stays = event.type === "navigate"
      ? event.destination.sameDocument || event.downloadRequest !== null
      : staysBySubmit(event);
    if (stays || state.taken.has(event)) return;
    state.leaving = event;
    if (state.onChange) state.onChange(true);
  };
  listenTo(undo, window, "submit", leaves);
  if (window.navigation) listenTo(undo, window.navigation, "navigate", leaves);
  listenTo(undo, window, "formdata", () => {
    state.collected = true;
  });
};
// What a field holds in front of the command.
const heldBy = (field) => [field.value, field.checked, fixityOf(field) !== null];
const noteHeld = (state, element) => {
  const field = fieldOf(element);
  if (!field) return;
  if (field.isContentEditable) state.editors.set(field, field.textContent);
  else if ("value" in field && !state.fields.has(field)) state.fields.set(field, heldBy(field));
};
const EXPIRE_STEPS = 5;
// Everything that is watched can be undone from the first moment on: by the row behind the command,
// by time, and where the watching itself fails.
const arm = (ask) => {
  const undo = [];
  const marksOf = ({ library, seen, controls, told }) => ({ library, seen, controls, told });
  const keep = (value) => Object.defineProperty(document, KEY, { value, configurable: true });
  const state = { ...marksOf(document[KEY] || {}), hand: ask.hand, changed: false };
  const stop = () => {
    for (const step of undo.splice(0)) step();
    keep(marksOf(state));
  };
  state.stop = stop;
  keep(state);
  // In steps: what a dialog holds up is due at once behind it, and the next row still has a question.
  let left = EXPIRE_STEPS;
  let timer = 0;
  const expire = () => {
    left -= 1;
    if (left < 0) stop();
    else timer = setTimeout(expire, ask.expireMs / EXPIRE_STEPS);
  };
  expire();
  undo.push(() => clearTimeout(timer));
  try {
    const roots = readableRoots();
    state.url = location.href;
    state.doc = identityOf(window);
    state.texts = liveTexts();
    state.dialogs = new Set(openDialogs(roots));
    state.focus = deepActive();
    state.busy = busyParts();
    const fields = roots.flatMap((root) => [...root.querySelectorAll("input,select,textarea")]).slice(0, 500);
    state.fields = new Map(fields.map((field) => [field, heldBy(field)]));
    state.editors = new Map();
    for (const root of roots) {
      for (const editor of [...root.querySelectorAll("[contenteditable]")].slice(0, 20)) noteHeld(state, editor);
    }
    const aimed = ask.field ? resolveTarget(ask.field) : null;
    if (aimed) noteHeld(state, aimed);
    noteEarlier(state, roots);
    watchEvents(ask, state, undo, roots);
    watchLeaving(state, undo);
    watchForms(state, undo, viewsOf(roots));
    watchFrames(state, undo, roots);
    watchDialogs(state, undo, roots);
    if (ask.requests) watchRequests(state, undo);
    holdClose(state, undo);
    if (ask.guard || ask.takesUp) holdPage(state, undo);
  } catch (error) {
    stop();
    throw error;
  }
};
const before = (ask) => {
  const page = pageNow();
  if (!ask.watch) return page;
  const earlier = document[KEY];
  if (earlier && earlier.stop) earlier.stop();
  arm(ask);
  page.armed = true;
  page.at = clock();
  return page;
};
