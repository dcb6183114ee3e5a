// Controls that are shown now and were not at the last snapshot, by the words that find them again.
const FRESH_LIMIT = 8;
const SPOKEN =
  /^(link|button|textbox|searchbox|checkbox|radio|switch|combobox|option|menuitem|menuitemcheckbox|menuitemradio|tab|treeitem|slider|spinbutton)$/;
const roleOf = (element) => {
  const told = element.getAttribute("role");
  if (told) return SPOKEN.test(told) ? told : null;
  switch (element.tagName) {
    case "A": return element.hasAttribute("href") ? "link" : null;
    case "BUTTON": return "button";
    case "SELECT": return "combobox";
    case "OPTION": return element.closest("select") ? null : "option";
    case "TEXTAREA": return "textbox";
    case "INPUT": return element.type in INPUT_ROLES ? INPUT_ROLES[element.type] : "textbox";
    default: return null;
  }
};
const INPUT_ROLES = {
  button: "button", submit: "button", reset: "button", image: "button", checkbox: "checkbox",
  radio: "radio", range: "slider", number: "spinbutton", search: "searchbox", hidden: null,
};
const spokenName = (element) => {
  const label = element.labels && element.tagName !== "BUTTON" ? element.labels[0] : null;
  return label ? shorten(label.textContent || "", 80) : nameOf(element);
};
const freshControls = (state) => {
  if (!state.seen) return null;
  const found = [];
  let more = 0;
  for (const element of document.querySelectorAll(INTERACTIVE)) {
    const before = state.seen.get(element);
    if ((before && before.shown) || state.told.has(element)) continue;
    const role = roleOf(element);
    if (!role || element.disabled || !isShown(element)) continue;
    state.told.add(element);
    const name = spokenName(element);
    if (!name) continue;
    if (found.length < FRESH_LIMIT) found.push({ role, name });
    else more += 1;
  }
  return { found, more };
};
