// Does an element take text? Upstream types into whatever field has the focus, so a text for an
// element that takes none lands elsewhere.
const takesText = (element) =>
  element.isContentEditable || element.tagName === "TEXTAREA" ||
  (element.tagName === "INPUT" && !/^(button|submit|reset|image|checkbox|radio|file|hidden)$/.test(element.type));
// These hold a value that nobody types: a text for one goes where the caret was before.
const isSetOnly = (element) => element.tagName === "INPUT" && /^(range|color)$/.test(element.type);
// Kinds of elements to which no text belongs, whatever has the focus.
const TEXTLESS = /^(slider|button|link|checkbox|radio|switch|tab|menuitem|img|heading|progressbar)$/;
// A label stands for its field.
const fieldOf = (element) => (element.tagName === "LABEL" ? element.control : element);
// Elements that may hand the text on to a field of their own: where it went tells. One that cannot
// take the focus hands nothing on.
const mayHandOn = (element) => {
  const opaque = (one) => one.shadowRoot || /-|^(IFRAME|FRAME|OBJECT|EMBED)$/.test(one.tagName);
  const active = deepActive();
  if (opaque(element) || (active && takesText(active) && contains(element, active))) return true;
  const focusable = element.tabIndex >= 0 || element.hasAttribute("tabindex");
  return focusable && [...element.querySelectorAll("*")].some((one) => opaque(one) || takesText(one));
};
// Why an element takes no text, or nothing.
const refusalOf = (field) => {
  if (takesText(field)) {
    // Upstream would empty these.
    if (field.matches(":disabled")) return "disabled";
    // These cannot have the focus, and what has it would get the text.
    if (!field.checkVisibility({ visibilityProperty: true }) || field.closest("[inert]")) return "hidden";
    return field.readOnly === true ? "read-only" : null;
  }
  if (mayHandOn(field)) return null;
  if (field.tagName === "SELECT") return "list";
  if (/^(combobox|listbox)$/.test(field.getAttribute("role") || "")) return "choices";
  return { checkbox: "choice", radio: "choice", file: "file" }[field.type] || "other";
};
const checkField = (ask) => {
  let refused = null;
  try {
    const meant = ask.field ? resolveTarget(ask.field) : null;
    const field = meant && fieldOf(meant);
    refused = field && refusalOf(field);
    // Only a whole value can be set.
    if (field && !refused && !ask.replaces && isSetOnly(field)) refused = "set-only";
    // A text replaces what an editor holds only where that is selected.
    if (field && !refused && ask.replaces && field.isContentEditable) selectContent(field);
  } catch {
    refused = null;
  }
  if (refused) throw new Error(`${ask.noTextMarker}${refused};`);
};
const selectContent = (field) => {
  field.focus();
  if (field.isContentEditable) field.ownerDocument.getSelection().selectAllChildren(field);
  else field.select();
};
// The field has the focus and its content is selected: the next row only has to insert the text.
// Where that cannot be had, the watching ends and upstream's own command has to find its way.
const takeUp = (ask) => {
  const state = document[KEY] || {};
  let reason = ask.handOverMarker;
  try {
    const [meant] = candidatesOf(ask.field);
    const field = meant && fieldOf(meant);
    const refused = field && refusalOf(field);
    if (refused) reason = `${ask.noTextMarker}${refused};`;
    else if (state.stop && field && takesText(field)) {
      noteHeld(state, field);
      selectContent(field);
      state.field = field;
      if (contains(field, deepActive())) return;
    }
  } catch {
    // It is not taken up.
  }
  if (state.stop) state.stop();
  throw new Error(reason);
};
