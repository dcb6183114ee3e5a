// Where did a text go, and does its field hold it?
// The text of an editor is no name of it.
const isNamed = (field) =>
  Boolean(!field.isContentEditable || field.ariaLabel || field.getAttribute("aria-labelledby"));
const isSecretField = (field) => {
  const name = isNamed(field) ? nameOf(field) : "";
  const told = `${field.autocomplete || ""} ${field.name || ""} ${field.id || ""} ${name}`;
  return (
    (field.type || "").toLowerCase() === "password" ||
    /current-password|new-password|one-time-code/.test(field.autocomplete || "") ||
    /passw|passcode|secret(?!ar|ion)|\botp\b|\bpin\b/i.test(told)
  );
};
// The field that took a text which was meant for an element without one.
const astrayOf = (meant) => {
  const field = meant && fieldOf(meant);
  const active = deepActive();
  const took = Boolean(active && takesText(active));
  if (!field || takesText(field) || (took && contains(field, active))) return null;
  if (!took) return { role: "", name: "" };
  return { role: spokenRole(active) || "field", name: isNamed(active) ? shorten(spokenName(active), 80) : "" };
};
// A mask has put something in front, and it is not what was there before.
const isPrefixed = (value, sent, before) => {
  const front = value.slice(0, value.length - sent.length);
  return sent !== "" && front + sent === value && (before === "" || front !== before);
};
// Upstream changes nothing in these.
const SET_TYPES = ["date", "time", "datetime-local", "month", "week", "range", "color"];
const SHUT = SET_TYPES.map((type) => `input[type=${type}]:disabled`).join();
// Why a field keeps what it holds, or nothing.
const fixityOf = (field) => (field.matches(":disabled") ? "disabled" : field.readOnly ? "read-only" : null);
// Sets it as the page would see a user do it; what the field does not take leaves it as it was.
const setByScript = (field, sent, held = field.value) => {
  // Frameworks put a property of their own in front of it.
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value");
  set.call(field, sent);
  if (field.value === "" && sent !== "") {
    set.call(field, held);
    return;
  }
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
};
const plainOf = (text) => text.toLowerCase().replace(/[\s.,\-_/()+:'’]/g, "");
const numberOf = (text) => (text.trim() !== "" && !Number.isNaN(Number(text)) ? Number(text) : null);
// The numbers that a text may mean: thousands stand in groups, behind a comma or behind a point.
const readingsOf = (text) => {
  const bare = text.replace(/[\p{Sc}%]/gu, "").replace("−", "-").trim();
  const read = (thousands, point) => numberOf(bare.replace(thousands, "").replace(point, "."));
  const english = read(/[,\s'’](?=\d{3}(\D|$))/g, /\./);
  const other = read(/[.\s'’](?=\d{3}(\D|$))/g, /,/);
  return [english, other].filter((number) => number !== null);
};
const partsOf = (text) => (/^\d+([./:-]\d+){1,2}$/.test(text.trim()) ? text.match(/\d+/g).map(Number) : []);
// Of two texts with the same digits: is the number or the date the same one? Its sign, its point or a
// place in it may have been lost. Nothing where they read as neither.
const isSameNumber = (value, sent) => {
  const digits = (text) => text.replace(/\D/g, "");
  if (digits(value) !== digits(sent)) return null;
  const exact = numberOf(sent);
  const [is, meant] = [readingsOf(value), exact === null ? readingsOf(sent) : [exact]];
  if (is.length && meant.length) return is.some((number) => meant.includes(number));
  const [shown, asked] = [partsOf(value), partsOf(sent)];
  if (!shown.length || shown.length !== asked.length) return null;
  return shown.every((part, at) => part === asked[at]);
};
// Equal but for white space, case, separators or the form of a number.
const isSame = (value, sent) => {
  const number = isSameNumber(value, sent);
  if (number !== null) return number;
  if (plainOf(value) === plainOf(sent)) return plainOf(value) !== "";
  return numberOf(value) !== null && numberOf(value) === numberOf(sent);
};
const isReformatted = (value, sent, before, type) => {
  if (type === "color" && value !== "#000000") return true;
  const front = before !== undefined && isPrefixed(plainOf(value), plainOf(sent), plainOf(before));
  return front && isSameNumber(value, sent) !== false;
};
// The field that has the text, and what it held in front of the command, where that is known.
const filledField = (meant, { fields, editors }) => {
  const active = deepActive();
  // A field that does not take the focus, or hands it on, is still the one that was meant.
  const own = meant && fieldOf(meant);
  // Upstream leaves a property of that name on elements that have none.
  const valued = own && (own.isContentEditable || "value" in Object.getPrototypeOf(own));
  const field = valued && !contains(own, active) ? own : active;
  if (!field || field === document.body) return null;
  if (field.isContentEditable) return { field, before: editors && editors.get(field), now: field.textContent };
  if (!("value" in field)) return null;
  const [before, , wasFixed] = (fields && fields.get(field)) || [];
  return { field, before, wasFixed, now: field.value };
};
const verifyFill = (ask, aim, meant, state) => {
  const filled = filledField(meant, state);
  if (!filled) return { verdict: "no-field" };
  const { field, before, wasFixed } = filled;
  const type = (field.type || "").toLowerCase();
  const editable = field.isContentEditable;
  const secret = isSecretField(field);
  // An element that could not be looked up again, and a field of another kind: perhaps not the same.
  const roles = [aim && aim.role, spokenRole(field)];
  if (!meant && roles[0] && roles[1] && roles[0] !== roles[1]) return { verdict: "unknown", secret };
  const fixed = fixityOf(field);
  // Upstream empties it by script all the same.
  const emptied = wasFixed && field.value === "" && /^(INPUT|TEXTAREA)$/.test(field.tagName);
  if (fixed && emptied && before) setByScript(field, before);
  let set = false;
  if (SET_TYPES.includes(type) && !fixed) {
    // The one that had the focus before, and another that cannot have it: who was meant is not known.
    const unsure = !meant && field === state.focus && readableRoots().some((root) => root.querySelector(SHUT));
    if (unsure && field.value === ask.sent) return { verdict: "unknown", secret };
    set = !unsure && field.value !== ask.sent;
    if (set) setByScript(field, ask.sent, before);
  }
  const value = editable ? field.innerText : field.value;
  let verdict = "differs";
  if (value === ask.sent || (editable && value.trim() === ask.sent.trim())) verdict = "equal";
  else if (state.strayed) verdict = "strayed";
  else if (fixed) verdict = fixed;
  else if (value === "" && ask.sent !== "") verdict = "empty";
  else if (isSame(value, ask.sent)) verdict = "reformatted";
  else if (before === (editable ? field.textContent : value)) verdict = "unchanged";
  else if (isReformatted(value, ask.sent, before, type)) verdict = "reformatted";
  else if (value.includes(ask.sent) && (editable || (before && value.includes(before)))) verdict = "added";
  return { verdict, secret, set, editable, type };
};
// A locator that several elements fit: upstream has marked the one that it took.
const meantField = (ask, state) => (ask.aim && resolveTarget(ask.aim)) || state.located;
// Editors may draw what they were given a moment later.
const EDITOR_MS = 150;
const whenDrawnIn = async (ask, state) => {
  if (!state.editors || !state.editors.size) return;
  const until = performance.now() + EDITOR_MS;
  const isOld = () => {
    const filled = filledField(meantField(ask, state), state);
    const old = filled && filled.field.isContentEditable && filled.now === filled.before;
    return old && filled.now.trim() !== ask.fill.sent.trim();
  };
  while (isOld() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 25));
};
// What became of a text: where it went, and what can be said of its field.
const judgeText = (ask, page, state) => {
  const meant = meantField(ask, state || {});
  page.astray = state && state.noField ? { role: "", name: "" } : astrayOf(meant);
  const field = deepActive();
  const known = Boolean(field && field !== document.body && field.getAttribute);
  const isSecret = () => known && isSecretField(field);
  if (ask.typed) page.typed = { known, secret: isSecret() };
  if (ask.fill && page.astray) page.fill = { verdict: "astray", secret: isSecret() };
  else if (ask.fill) page.fill = verifyFill(ask.fill, ask.aim, meant, state || {});
};
