// What a command does to the page: its events, the element that they reach, and what changes.
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
// A press is often drawn on what was pressed, as a ripple or a class: that tells nothing of what it does.
const isPressDrawn = (record) => {
  if (record.type === "attributes") return /^(class|style)$/.test(record.attributeName);
  const nodes = [...record.addedNodes, ...record.removedNodes];
  return record.type === "childList" && nodes.every((node) => node.nodeType === 1 && !node.textContent.trim());
};
const isOnlyDrawn = ({ changed, tells, target, drawn }) =>
  Boolean(changed && !tells && target && drawn.every((node) => contains(target, node)));
const ownAttribute = (record) =>
  record.type === "attributes" && record.attributeName.startsWith("data-agent-browser");
const targetOf = (event) =>
  event.composedPath().find((node) => node.nodeType === 1 && node.matches(INTERACTIVE)) ||
  event.composedPath()[0];
const refuse = (event) => {
  event.preventDefault();
  event.stopImmediatePropagation();
};
const noteTarget = (state, target, known) => {
  if (state.target) return;
  state.target = target;
  const popup = target.closest("[aria-expanded]");
  state.expanded = popup && popup.getAttribute("aria-expanded");
  if (known && known.name !== null) {
    const name = nameOf(target);
    if (name !== known.name) state.renamed = name;
    else if (known.row && rowOf(target) !== known.row) state.moved = rowOf(target);
  }
  if (target.closest("a[download]")) state.download = true;
  // The browser lets a press of these through; their page often does nothing.
  state.off = Boolean(target.closest("[aria-disabled=true]"));
};
const EVENTS = ["pointerdown", "mousedown", "touchstart", "pointerup", "mouseup", "click", "dblclick",
  "auxclick", "beforeinput", "keydown", "dragstart"];
// What is chosen comes at once, a text in pieces.
const CHOICE = "select,input[type=checkbox],input[type=radio],input[type=file]";
// A text that is inserted comes as this one alone.
const INSERTION = ["beforeinput"];
// The text is not for the field that it comes to. The browser asks the element with the focus and
// writes where the caret is, which may be in another one.
const isStray = (ask, state, event) => {
  const [target] = event.composedPath();
  const role = (ask.field && ask.field.role) || "";
  // What these do with a text cannot be seen.
  const opaque = target.editContext || target.tagName.includes("-");
  const textless = !takesText(target) && !opaque;
  const other = TEXTLESS.test(role) && spokenRole(target) !== role;
  state.noField = Boolean(ask.field && (textless || other || (isSetOnly(target) && !ask.replaces)));
  // The focus went elsewhere since.
  const strayed = state.field && !contains(state.field, target);
  state.strayed = Boolean(strayed && !isSetOnly(target));
  return Boolean(state.noField || strayed || isSetOnly(target));
};
const watchEvents = (ask, state, undo, roots) => {
  const knownOf = (target) => (state.seen ? state.seen.get(target) : null);
  state.drawn = [];
  const noticed = (records = []) => {
    if (records.length && records.every(isPressDrawn) && state.drawn.length < 50) {
      state.drawn.push(...new Set(records.map((record) => record.target)));
    } else {
      state.tells = true;
    }
    state.changed = true;
    state.changedAt = performance.now();
    if (state.onChange) state.onChange();
  };
  const observer = new MutationObserver((records) => {
    // Upstream marks what a locator has found.
    for (const record of records) {
      if (!ownAttribute(record)) continue;
      if (state.located !== record.target) noteHeld(state, record.target);
      state.located = record.target;
    }
    const others = records.filter((record) => !ownAttribute(record));
    if (leavesTrace(others)) noticed(others);
  });
  state.notice = noticed;
  undo.push(() => observer.disconnect());
  const hit = (event) => {
    if (!event.isTrusted) return;
    if (state.stopped) {
      refuse(event);
      return;
    }
    state.acted = true;
    if (state.arrive) state.arrive(event.type);
    if (event.type === "beforeinput" && isStray(ask, state, event)) {
      refuse(event);
      return;
    }
    // A locator has found a field that cannot have the focus: what has it would get the text.
    const found = event.type === "beforeinput" && state.located && fieldOf(state.located);
    if (found && found.matches(":disabled")) {
      refuse(event);
      return;
    }
    const target = targetOf(event);
    if (!target || target.nodeType !== 1) return;
    const known = knownOf(target);
    // A press that began on a known element ends there too, whatever its page makes of that meanwhile:
    // a `pointerdown` begins it, and the `mousedown` behind it is the same press.
    const down = /^(mousedown|touchstart)$/.test(event.type);
    const begins = event.type === "pointerdown" || (down && state.press !== "pointerdown");
    const ours = known || (state.press && !begins);
    if (ours && (begins || down)) state.press = event.type;
    const taken = ask.guard && begins && known && isTakenOver(target);
    if (ask.guard && state.seen && (!ours || taken)) {
      state.stopped = { name: nameOf(target), taken };
      refuse(event);
      return;
    }
    if (/^(click|mousedown|touchstart)$/.test(event.type)) {
      state.reached = state.reached || target.matches(INTERACTIVE);
      noteTarget(state, target, known);
    }
  };
  // Upstream fills and selects by script: the first event then tells the element. A choice is made with
  // it; what its page does then is no longer by itself.
  const touched = (event) => {
    const target = targetOf(event);
    if (!target || target.nodeType !== 1) return;
    if (/^(input|change)$/.test(event.type) && target.matches(CHOICE) && state.arrive) state.arrive(event.type);
    noteTarget(state, target, knownOf(target));
  };
  for (const root of roots) {
    observer.observe(root, { subtree: true, childList: true, attributeOldValue: true, characterData: true });
    if (root.nodeType !== 9) continue;
    const view = root.defaultView || window;
    const listen = (types, listener) => {
      for (const type of types) listenTo(undo, view, type, listener, true);
    };
    if (ask.takesUp) listen(INSERTION, hit);
    else listenToPresses(undo, view, EVENTS, hit, ask.hand === "finger" || undefined);
    if (ask.guard) listen(ask.hand === "hover" ? ["mouseover"] : ["focusin", "input", "change"], touched);
    // A popover shows itself without a change of any attribute. A `change` without an `input` only ends
    // what was typed by an earlier command.
    listen(["input", "beforetoggle", "toggle"], noticed);
  }
};
