// Behind a command: where is the page now, and what was seen to happen?
// Dialogs that were there before the command and still are, unless what it hit stands in one.
const standingDialogs = (state, open) => {
  // One of a frame or a component covers that alone.
  const own = open.filter((dialog) => dialog.getRootNode() === document);
  if (state.target && own.some((dialog) => contains(dialog, state.target))) return [];
  return own.filter((dialog) => state.dialogs.has(dialog)).map(dialogName);
};
// A hover has ended on an element that no snapshot has shown.
const isOverUnseen = (state) => {
  if (state.hand !== "hover" || !state.seen) return false;
  const under = [...document.querySelectorAll(":hover")].pop();
  const hovered = under && under.closest(INTERACTIVE);
  return Boolean(hovered && !state.seen.get(hovered));
};
const isLeaving = ({ leaving, taken }) => Boolean(leaving && !leaving.defaultPrevented && !taken.has(leaving));
const effectOf = (state, roots) => {
  const fresh = liveTexts().filter((text) => !state.texts.includes(text));
  const open = openDialogs(roots);
  const dialogs = open.filter((dialog) => !state.dialogs.has(dialog));
  let fieldChanged = false;
  for (const [field, [value, checked]] of state.fields || []) {
    if (field.value !== value || field.checked !== checked) fieldChanged = true;
  }
  const focus = deepActive();
  const moved = focus !== state.focus && focus && focus !== document.body;
  const editable = moved && (focus.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(focus.tagName));
  const told = fieldChanged || location.href !== state.url || dialogs.length > 0 || haveFramesMoved(state);
  return {
    changed: state.changed || told,
    drawn: !told && isOnlyDrawn(state),
    urlChanged: location.href !== state.url,
    text: fresh[0] || null,
    dialog: dialogs.length ? dialogName(dialogs[0]) : null,
    standing: standingDialogs(state, open),
    focused: Boolean(editable),
    focus: editable ? focusElsewhere(state, focus) : null,
    held: heldForm(state),
    pending: pendingOf(state),
    busy: isBusy(state),
    frameAsked: isFrameAsked(state),
    download: Boolean(state.download),
    renamed: state.renamed === undefined ? null : state.renamed,
    moved: state.moved === undefined ? null : state.moved,
    stopped: state.stopped || null,
    reached: Boolean(state.reached),
    disabled: Boolean(state.off),
    unseen: isOverUnseen(state),
    leaving: Boolean(state.closing || isLeaving(state)),
    going: isGoing(state),
    closing: Boolean(state.closing),
  };
};
// Failed and aborted requests have an entry without a status, pending ones have none. A list that
// is full says nothing about the requests that came later. Every frame keeps its own list.
const RESOURCE_LIMIT = 250;
const endedWithoutStatus = () => {
  const ended = [];
  for (const { defaultView: view } of readableRoots()) {
    const entries = view ? view.performance.getEntriesByType("resource") : [];
    if (entries.length >= RESOURCE_LIMIT) return null;
    ended.push(...entries.filter((entry) => !entry.responseStatus).map((entry) => entry.name.slice(0, 2000)));
  }
  return ended;
};
const isGoing = (state) => Boolean(state.closing || (isLeaving(state) && state.leaving.type === "navigate"));
const isSettled = (state, effect = effectOf(state, readableRoots())) => {
  // Behind a submit the navigation follows in a moment; until then nothing else is the answer.
  if (effect.leaving) return isGoing(state);
  if (effect.download || effect.stopped || effect.held) return true;
  if (effect.changed && (effect.text || effect.dialog)) return !isAsking(state);
  return ((effect.changed && !effect.drawn) || effect.focused) && !isWorking(state);
};
// Until an effect is seen, or its time is over: how long that took, or the effect that was there.
const whenSettled = (ask, state) => {
  // A form that was collected is about to be sent; the navigation shows a moment later.
  if (isGoing(state) || !state.collected) {
    const effect = effectOf(state, readableRoots());
    if (isSettled(state, effect)) return { effect };
  }
  const started = performance.now();
  return new Promise((resolve, reject) => {
    let waited;
    let over = false;
    let done = false;
    const end = (how, value) => {
      done = true;
      clearTimeout(limit);
      how(value);
    };
    const look = () => {
      if (isSettled(state)) return end(resolve, { waited });
      waited = Math.round(performance.now() - started);
      // While the page works on it, it gets longer.
      const longer = isWorking(state) && waited < ask.waitMs + ask.workMs;
      if (over && !longer) return end(resolve, { waited });
      return longer && setTimeout(check, 25);
    };
    const check = () => {
      try {
        if (!done) look();
      } catch (error) {
        end(reject, error);
      }
    };
    const limit = setTimeout(() => {
      over = true;
      check();
    }, ask.waitMs);
    // A document that is being left may be gone a moment later; a router decides within the event.
    state.onChange = (leaves) => (leaves ? queueMicrotask(check) : setTimeout(check, 0));
    // What the command has queued in the page comes first.
    setTimeout(check, 0);
  });
};
const pageBehind = (ask, state, effect) => {
  const page = pageNow();
  page.status = (performance.getEntriesByType("navigation")[0] || {}).responseStatus || 0;
  page.armed = Boolean(state);
  if (ask.resources) page.resources = endedWithoutStatus();
  if (ask.typed || ask.fill) judgeText(ask, page, state);
  if (state) {
    page.said = saidBy(state);
    page.effect = effect || effectOf(state, readableRoots());
    if (page.effect.changed) page.effect.fresh = freshControls(state);
    // This answer may be lost with the document.
    if (page.effect.leaving) leaveNote(state);
  }
  return page;
};
const after = async (ask) => {
  const state = watching();
  try {
    const { waited, effect } = state && ask.waitMs ? state.looked || (await whenSettled(ask, state)) : {};
    const opened = state && (ask.waitMs || ask.restedMs || ask.fill) && !isGoing(state) && (await whenOpened(state));
    if (state && ask.fill) await whenDrawnIn(ask, state);
    const page = pageBehind(ask, state, opened || ask.fill ? null : effect);
    if (waited !== undefined) page.waitedMs = waited;
    else if (state && ask.restedMs) page.waitedMs = ask.restedMs;
    return page;
  } catch (error) {
    return { probeError: String(error) };
  } finally {
    if (state) state.stop();
  }
};
