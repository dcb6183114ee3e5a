// Controls that are shown now and were not at the last snapshot, by the words that find them again.
const FRESH_LIMIT = 8;
const EARLIER_LIMIT = 4;
const NAMED =
  /^(link|button|textbox|searchbox|checkbox|radio|switch|combobox|listbox|option|menuitem|menuitemcheckbox|menuitemradio|tab|treeitem|slider|spinbutton)$/;
// The one field of a dialog is known by its role alone.
const TYPED_INTO = /^(textbox|searchbox|spinbutton)$/;
const freshElements = function* (state, roots = readableRoots()) {
  const shown = shownSoon();
  for (const root of roots) {
    if (root !== document && root.ownerDocument !== document) continue;
    for (const element of root.querySelectorAll(INTERACTIVE)) {
      const before = state.seen.get(element);
      if ((before && before.shown) || state.told.has(element)) continue;
      const role = spokenRole(element);
      // New ones may still be transparent: that is how a fade begins.
      const there = before ? shown : (one) => one.checkVisibility({ visibilityProperty: true });
      if (NAMED.test(role) && !element.disabled && there(element)) yield [element, role];
    }
  }
};
// What the page had brought by itself when the command began is no effect of it.
const noteEarlier = (state, roots) => {
  const there = state.seen ? [...freshElements(state, roots)] : [];
  state.earlier = new Set(there.map(([element]) => element));
};
const freshControls = (state) => {
  if (!state.seen) return null;
  const [ours, earlier] = [{ found: [], more: 0 }, { found: [], more: 0 }];
  for (const [element, role] of freshElements(state)) {
    state.told.add(element);
    const list = state.earlier.has(element) ? earlier : ours;
    // Only those are named that are told.
    if (list.found.length >= (list === ours ? FRESH_LIMIT : EARLIER_LIMIT)) {
      list.more += 1;
      continue;
    }
    const name = shorten(spokenName(element), 80);
    if (name || TYPED_INTO.test(role)) list.found.push({ role, name });
  }
  return { ...ours, earlier };
};
// What opens a list or a menu is often a moment ahead of it.
const POPUP_MS = 150;
const isOpening = (state) => {
  const hit = state.target || deepActive();
  const owner = hit && hit.closest ? hit.closest("[aria-haspopup],[aria-expanded],[role=combobox]") : null;
  const hasCome = () => {
    for (const [element] of freshElements(state)) if (!state.earlier.has(element)) return true;
    return false;
  };
  return Boolean(state.seen && owner && state.expanded !== "true" && !hasCome());
};
// Tells whether that took time.
const whenOpened = async (state) => {
  const until = performance.now() + POPUP_MS;
  let waited = false;
  while (isOpening(state) && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    waited = true;
  }
  return waited;
};
