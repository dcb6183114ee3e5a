// Controls that are shown now and were not at the last snapshot, by the words that find them again.
const FRESH_LIMIT = 8;
const NAMED =
  /^(link|button|textbox|searchbox|checkbox|radio|switch|combobox|listbox|option|menuitem|menuitemcheckbox|menuitemradio|tab|treeitem|slider|spinbutton)$/;
const freshControls = (state) => {
  if (!state.seen) return null;
  const found = [];
  let more = 0;
  for (const element of document.querySelectorAll(INTERACTIVE)) {
    const before = state.seen.get(element);
    if ((before && before.shown) || state.told.has(element)) continue;
    const role = spokenRole(element);
    if (!NAMED.test(role) || element.disabled || !isShown(element)) continue;
    state.told.add(element);
    const name = shorten(spokenName(element), 80);
    if (!name) continue;
    if (found.length < FRESH_LIMIT) found.push({ role, name });
    else more += 1;
  }
  return { found, more };
};
