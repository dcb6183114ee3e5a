// Where did a text go, and does its field hold it?
const isSecretField = (field) => {
  const told = `${field.autocomplete || ""} ${field.name || ""} ${field.id || ""} ${nameOf(field)}`;
  return (
    (field.type || "").toLowerCase() === "password" ||
    /current-password|new-password|one-time-code/.test(field.autocomplete || "") ||
    /passw|passcode|secret|\botp\b|\bpin\b/i.test(told)
  );
};
// The field that took a text which was meant for an element without one.
const astrayOf = (meant) => {
  const field = meant && fieldOf(meant);
  const active = deepActive();
  const took = Boolean(active && takesText(active));
  if (!field || takesText(field) || (took && contains(field, active))) return null;
  if (!took) return { role: "", name: "" };
  // The text of an editor is no name of it.
  const named = !active.isContentEditable || active.ariaLabel || active.getAttribute("aria-labelledby");
  return { role: spokenRole(active) || "field", name: named ? shorten(spokenName(active), 80) : "" };
};
// A mask has put something in front, and it is not what was there before.
const isPrefixed = (value, sent, before) => {
  const front = value.slice(0, value.length - sent.length);
  return sent !== "" && front + sent === value && (before === "" || front !== before);
};
const verifyFill = (ask, aim, meant, { fields, strayed }) => {
  const active = deepActive();
  // A field that does not take the focus, or hands it on, is still the one that was meant.
  const own = meant && fieldOf(meant);
  // Upstream leaves a property of that name on elements that have none.
  const valued = own && (own.isContentEditable || "value" in Object.getPrototypeOf(own));
  const holds = valued && !contains(own, active);
  const field = holds ? own : active;
  if (!field || field === document.body) return { verdict: "no-field" };
  const type = (field.type || "").toLowerCase();
  const editable = field.isContentEditable;
  if (!editable && !("value" in field)) return { verdict: "no-field" };
  const secret = isSecretField(field);
  // An element that could not be looked up again, and a field of another kind: perhaps not the same.
  const roles = [aim && aim.role, spokenRole(field)];
  if (!meant && roles[0] && roles[1] && roles[0] !== roles[1]) return { verdict: "unknown", secret };
  let set = false;
  if (/^(date|time|datetime-local|month|week|range|color)$/.test(type) && field.value !== ask.sent) {
    const proto = Object.getPrototypeOf(field);
    Object.getOwnPropertyDescriptor(proto, "value").set.call(field, ask.sent);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
    set = true;
  }
  const value = editable ? field.innerText : field.value;
  const before = fields && fields.get(field);
  const plain = (text) => text.toLowerCase().replace(/[\s.,\-_/()+:'’]/g, "");
  const numeric = (text) => (text.trim() !== "" && !Number.isNaN(Number(text)) ? Number(text) : null);
  let verdict = "differs";
  if (value === ask.sent || (editable && value.trim() === ask.sent.trim())) verdict = "equal";
  else if (strayed) verdict = "strayed";
  else if (field.disabled || field.readOnly) verdict = field.disabled ? "disabled" : "read-only";
  else if (value === "" && ask.sent !== "") verdict = "empty";
  else if (before && before[0] === value) verdict = "unchanged";
  else if (plain(value) === plain(ask.sent) && plain(value) !== "") verdict = "reformatted";
  else if (type === "color" && value !== "#000000" && !(before && before[0] === value)) verdict = "reformatted";
  else if (numeric(value) !== null && numeric(value) === numeric(ask.sent)) verdict = "reformatted";
  else if (before && isPrefixed(plain(value), plain(ask.sent), plain(before[0]))) verdict = "reformatted";
  else if (value.includes(ask.sent) && (editable || (before && before[0] && value.includes(before[0])))) verdict = "added";
  return { verdict, secret, set, editable, type };
};
// What became of a text: where it went, and what can be said of its field.
const judgeText = (ask, page, state) => {
  const meant = ask.aim ? resolveTarget(ask.aim) : state && state.located;
  page.astray = astrayOf(meant);
  const field = deepActive();
  const known = Boolean(field && field !== document.body && field.getAttribute);
  const secret = known && isSecretField(field);
  if (ask.typed) page.typed = { known, secret };
  if (ask.fill && page.astray) page.fill = { verdict: "astray", secret };
  else if (ask.fill) page.fill = verifyFill(ask.fill, ask.aim, meant, state || {});
};
