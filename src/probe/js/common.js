// Shared by every page question. The one trace that stays in the page is a symbol on the document
// that holds weak references (HAZ-25); everything else is removed or expires.
const KEY = Symbol.for("agent-browser-native");
const INTERACTIVE =
  "a,button,input,select,textarea,label,summary,option,[role],[onclick],[tabindex],[contenteditable]";
const NODE_LIMIT = 20000;
const identityOf = (win) => {
  try {
    return String(win.performance.timeOrigin);
  } catch {
    return "other-origin";
  }
};
// By number alone: a page may have a variable `length` of its own.
const framesOf = (win) => {
  const found = [];
  while (found.length < 100 && win[found.length]) found.push(win[found.length]);
  return found;
};
const hasFrames = () => Boolean(window[0]);
const frameIdentities = (win, out = []) => {
  for (const frame of framesOf(win)) {
    if (out.length >= 100) break;
    const identity = identityOf(frame);
    out.push(identity);
    if (identity !== "other-origin") frameIdentities(frame, out);
  }
  return out;
};
// Old frameworks teach lists and texts to write themselves down in a way of their own.
const asJson = (value) => {
  const taught = [Object, Array, String].map((type) => type.prototype).filter((one) => Object.hasOwn(one, "toJSON"));
  const own = taught.map((one) => Object.getOwnPropertyDescriptor(one, "toJSON"));
  for (const one of taught) delete one.toJSON;
  try {
    return JSON.stringify(value);
  } finally {
    taught.forEach((one, at) => Object.defineProperty(one, "toJSON", own[at]));
  }
};
const pageNow = () => ({
  doc: identityOf(window),
  url: location.href,
  title: document.title,
  frames: frameIdentities(window),
  popup: Boolean(window.opener),
});
// The same clock in every document, in milliseconds.
const clock = () => Math.floor(performance.timeOrigin + performance.now());
// Input that this document has got from the browser, and in which time. The way to it began with the
// navigation, long before anything of it was here.
const inputSoFar = () => {
  const counts = performance.eventCounts;
  const count = (sum, type) => sum + ((counts && counts.get(type)) || 0);
  const inputs = ["pointerdown", "keydown", "input"].reduce(count, 0);
  const hovers = count(0, "mouseover");
  return { inputs, hovers, ageMs: Math.round(performance.now()), beganAt: Math.floor(performance.timeOrigin) };
};
const isFrame = (element) => element.tagName === "IFRAME" || element.tagName === "FRAME";
// The document in a frame, or nothing where it cannot be read.
const innerDocument = (frame) => {
  try {
    return frame.contentDocument;
  } catch {
    return null;
  }
};
// Every document and open shadow root that this script may read: one walk for all questions that are
// asked at one moment.
let rootsNow = null;
const readableRoots = () => {
  if (rootsNow) return rootsNow;
  rootsNow = rootsOfPage();
  queueMicrotask(() => {
    rootsNow = null;
  });
  return rootsNow;
};
const rootsOfPage = () => {
  const roots = [];
  let seen = 0;
  const visit = (root) => {
    roots.push(root);
    for (const element of root.querySelectorAll("*")) {
      seen += 1;
      if (seen > NODE_LIMIT) return;
      if (element.shadowRoot) visit(element.shadowRoot);
      const inner = isFrame(element) ? innerDocument(element) : null;
      if (inner) visit(inner);
    }
  };
  visit(document);
  return roots;
};
// Cut behind a whole word, so that the redacting gate never sees a half secret.
const shorten = (text, limit) => {
  const flat = text.trim().replace(/\s+/g, " ");
  if (flat.length <= limit) return flat;
  return flat.slice(0, limit).replace(/(?:[\w.~+=%!@$*^-]*|[\uD800-\uDBFF])$/, "").trimEnd();
};
// Of these the text is their value.
const VALUED = /^(combobox|listbox|textbox|searchbox|spinbutton|slider)$/;
const labelledBy = (element) => {
  const given = element.getAttribute("aria-labelledby");
  if (!given) return "";
  const ids = given.split(/\s+/).filter(Boolean);
  const root = element.getRootNode();
  // What was taken out of the page has an element as its root.
  const found = root.getElementById ? ids.map((id) => root.getElementById(id)).filter(Boolean) : [];
  return found.map((one) => one.getAttribute("aria-label") || one.textContent).join(" ");
};
// A form has no labels, but may have a field of that name.
const LABELLED = /^(BUTTON|INPUT|METER|OUTPUT|PROGRESS|SELECT|TEXTAREA)$/;
const labelsOf = (element) => (LABELLED.test(element.tagName) ? [...(element.labels || [])] : []);
const nameOf = (element) => {
  const by = shorten(labelledBy(element), 80);
  if (by) return by;
  const label = element.getAttribute("aria-label");
  if (label) return shorten(label, 80);
  const tag = element.tagName;
  if (tag === "INPUT") {
    const spoken = /^(button|submit|reset)$/.test(element.type) ? element.value : "";
    return shorten(spoken || element.placeholder || element.name || "", 80);
  }
  if (tag === "SELECT" || tag === "TEXTAREA") return shorten(element.name || "", 80);
  const words = VALUED.test(element.getAttribute("role") || "") ? "" : element.textContent;
  return shorten(words || element.getAttribute("title") || "", 80);
};
// The words of a label without those of the fields in it, and with what is put into its slots. A part
// that bears a name of its own counts by that, as the browser has it.
const PARTED = /^(ADDRESS|ARTICLE|BR|DD|DIV|DL|DT|FIGURE|H[1-6]|HR|LI|OL|P|PRE|SECTION|TABLE|TD|TH|TR|UL)$/;
const labelWords = (node) => {
  if (node.nodeType === 3) return node.data;
  if (node.nodeType !== 1 || /^(INPUT|SELECT|TEXTAREA|SCRIPT|STYLE)$/.test(node.tagName)) return "";
  const inner = node.tagName === "SLOT" ? node.assignedNodes({ flatten: true }) : node.childNodes;
  return [...inner].map(partWords).join("");
};
const partWords = (node) => {
  if (node.nodeType !== 1) return labelWords(node);
  if (node.getAttribute("aria-hidden") === "true") return "";
  const own = node.getAttribute("aria-label") || (node.tagName === "IMG" ? node.alt : "");
  const words = own.trim() ? own : labelWords(node);
  return PARTED.test(node.tagName) ? ` ${words} ` : words;
};
// The words of the record that an element belongs to. Of a group of fields that is its title: the
// rest tells what the fields hold.
const rowOf = (element, told = new Map()) => {
  const row = element.closest("li,tr,[role=row],[role=listitem],article,fieldset,dd");
  if (!row) return "";
  if (!told.has(row)) told.set(row, rowWords(row));
  return told.get(row);
};
const rowWords = (row) => {
  const group = /^(ARTICLE|FIELDSET)$/.test(row.tagName);
  const title = group ? row.querySelector("legend,h1,h2,h3,h4,h5,h6") : row;
  const words = title || (row.tagName === "ARTICLE" ? row : null);
  return words ? shorten(words.textContent || "", 60) : "";
};
const deepActive = () => {
  let active = document.activeElement;
  for (let depth = 0; active && depth < 20; depth += 1) {
    let inner = active.shadowRoot ? active.shadowRoot.activeElement : null;
    const framed = !inner && isFrame(active) ? innerDocument(active) : null;
    if (framed) inner = framed.activeElement;
    if (!inner) break;
    active = inner;
  }
  return active;
};
const SEEN = { opacityProperty: true, visibilityProperty: true };
const isShown = (element) =>
  element.checkVisibility ? element.checkVisibility(SEEN) : element.getClientRects().length > 0;
const movingParts = () => {
  const moving = document.getAnimations ? document.getAnimations().filter((one) => one.playState === "running") : [];
  return moving.map((one) => one.effect && one.effect.target).filter(Boolean);
};
// What is being faded in counts as shown. What moves is asked for once, where something is not shown.
const shownSoon = () => {
  let targets = null;
  const moves = (element) => {
    targets = targets || movingParts();
    return targets.some((target) => contains(target, element));
  };
  return (element) =>
    isShown(element) || (moves(element) && element.checkVisibility({ visibilityProperty: true }));
};
// Across shadow roots and readable frames.
const contains = (outer, inner) => {
  for (let node = inner; node; ) {
    if (node === outer) return true;
    node = node.parentNode || node.host || (node.defaultView && node.defaultView.frameElement);
  }
  return false;
};
// A style sheet may show a `<dialog>` that nobody has opened; then it is one where it can be seen.
const isOpenDialog = (element) => {
  if (element.tagName !== "DIALOG" || element.open || element.getAttribute("role")) return true;
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.height > 0 && box.right > 0 && box.bottom > 0 &&
    box.left < innerWidth && box.top < innerHeight;
};
const openDialogs = (roots = [document]) => {
  const all = roots.flatMap((root) => [...root.querySelectorAll("dialog,[role=dialog],[role=alertdialog]")]);
  return all.filter(shownSoon()).filter(isOpenDialog).slice(0, 3);
};
// What a dialog says beside the words of its controls. It may still be fading in.
const CONTROL_WORDS = "button,a,select,textarea,option,script,style,[role=button],[role=link],[role=option],[role=menuitem],[role=tab]";
const TEXTS_READ = 200;
const dialogWords = (dialog, limit) => {
  const words = [];
  const texts = dialog.ownerDocument.createTreeWalker(dialog, NodeFilter.SHOW_TEXT);
  for (let read = 0; read < TEXTS_READ && texts.nextNode(); read += 1) {
    const around = texts.currentNode.parentElement;
    if (texts.currentNode.data.trim() && !around.closest(CONTROL_WORDS) &&
      around.checkVisibility({ visibilityProperty: true })) words.push(texts.currentNode.data);
  }
  return shorten(words.join(" "), limit);
};
const dialogName = (dialog) => {
  const labelled = labelledBy(dialog).trim() || dialog.getAttribute("aria-label");
  return (labelled ? "" : dialogWords(dialog, 80)) || nameOf(dialog);
};
// Marks without a width are no words, and a table that is called live says nothing new by itself.
const UNSEEN = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;
const TABLES = "table,[role=table],[role=grid],textarea";
const saysSomething = (element, text) =>
  /[\p{L}\p{N}]{2}/u.test(text) && !element.matches(TABLES) && !element.querySelector(TABLES);
const busyParts = () => [...document.querySelectorAll("[aria-busy=true]")].slice(0, 50);
// What a page tells its reader without announcing it: by the usual names of such boxes, and what a
// field is said to be wrong by.
const BOXES = "[class*=alert i],[class*=flash i],[class*=error i],[class*=invalid-feedback i],[class*=messages i],[class*=messagelist i]";
const BOX = /^(alert|flash(es)?|messages|messagelist|errors?|errornote|errorlist|invalid-feedback)([-_]|$)|[-_](error|errors)$/i;
const complaintsOf = (field) => {
  const ids = field.getAttribute("aria-errormessage") || field.getAttribute("aria-describedby") || "";
  const root = field.getRootNode();
  return ids.split(/\s+/).filter((id) => id && root.getElementById).map((id) => root.getElementById(id));
};
const messageBoxes = () => {
  const styled = [...document.querySelectorAll(BOXES)].slice(0, 200);
  const boxes = styled.filter((one) => [...one.classList].some((name) => BOX.test(name)));
  const invalid = [...document.querySelectorAll("[aria-invalid=true]")].slice(0, 20);
  // A whole form that is marked as wrong is no message; what stands in it is.
  const found = [...boxes, ...invalid.flatMap(complaintsOf)].filter((one) => one && isBrief(one));
  return found.filter((one) => !found.some((other) => other !== one && other.contains(one)));
};
const BOX_TEXT = 200;
const liveTexts = () => {
  const spoken = [...document.querySelectorAll("[role=alert],[role=status],[aria-live]")].slice(0, 50);
  return [...textsOf(spoken), ...textsOf(messageBoxes())];
};
const isBrief = (box) => {
  const length = (box.textContent || "").trim().length;
  return length > 0 && length <= BOX_TEXT && !box.querySelector("input,select,textarea");
};
// A message may still be fading in.
const textsOf = (elements) => {
  const texts = [];
  const shown = shownSoon();
  for (const element of elements) {
    const text = shorten((element.innerText || element.textContent || "").replace(UNSEEN, ""), 120);
    if (saysSomething(element, text) && shown(element)) texts.push(text);
  }
  return texts;
};
// What a page that has just come tells: errors above all.
const messagesShown = () => {
  const spoken = [...document.querySelectorAll("[role=alert],[aria-live=assertive]")].slice(0, 20);
  return [...new Set([...textsOf(spoken), ...textsOf(messageBoxes())])].slice(0, 2);
};
