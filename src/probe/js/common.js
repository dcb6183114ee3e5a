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
const frameIdentities = (win, out = []) => {
  for (let i = 0; i < win.length && out.length < 100; i += 1) {
    const identity = identityOf(win[i]);
    out.push(identity);
    if (identity !== "other-origin") frameIdentities(win[i], out);
  }
  return out;
};
const pageNow = () => ({
  doc: identityOf(window),
  url: location.href,
  title: document.title,
  frames: window.length ? frameIdentities(window) : [],
});
// Every document and open shadow root that this script may read.
const readableRoots = () => {
  const roots = [];
  let seen = 0;
  const visit = (root) => {
    roots.push(root);
    for (const element of root.querySelectorAll("*")) {
      seen += 1;
      if (seen > NODE_LIMIT) return;
      if (element.shadowRoot) visit(element.shadowRoot);
      if (element.tagName === "IFRAME" || element.tagName === "FRAME") {
        let inner = null;
        try {
          inner = element.contentDocument;
        } catch {
          inner = null;
        }
        if (inner) visit(inner);
      }
    }
  };
  visit(document);
  return roots;
};
const shorten = (text, limit) => text.trim().replace(/\s+/g, " ").slice(0, limit);
const nameOf = (element) => {
  const label = element.getAttribute("aria-label");
  if (label) return shorten(label, 80);
  const tag = element.tagName;
  if (tag === "INPUT") {
    const spoken = /^(button|submit|reset)$/.test(element.type) ? element.value : "";
    return shorten(spoken || element.placeholder || element.name || "", 80);
  }
  if (tag === "SELECT" || tag === "TEXTAREA") return shorten(element.name || "", 80);
  return shorten(element.textContent || element.title || "", 80);
};
const rowOf = (element) => {
  const row = element.closest("li,tr,[role=row],[role=listitem],article,fieldset,dd");
  return row ? shorten(row.textContent || "", 60) : "";
};
const deepActive = () => {
  let active = document.activeElement;
  for (let depth = 0; active && depth < 20; depth += 1) {
    let inner = active.shadowRoot ? active.shadowRoot.activeElement : null;
    if (!inner && (active.tagName === "IFRAME" || active.tagName === "FRAME")) {
      try {
        inner = active.contentDocument ? active.contentDocument.activeElement : null;
      } catch {
        inner = null;
      }
    }
    if (!inner) break;
    active = inner;
  }
  return active;
};
const isShown = (element) =>
  element.checkVisibility
    ? element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    : element.getClientRects().length > 0;
const openDialogs = () => {
  const found = document.querySelectorAll("dialog[open],[role=dialog],[role=alertdialog]");
  return [...found].filter(isShown).slice(0, 3);
};
const busyParts = () => [...document.querySelectorAll("[aria-busy=true]")].slice(0, 50);
const liveTexts = () => {
  const spoken = document.querySelectorAll("[role=alert],[role=status],[aria-live]");
  const texts = [];
  for (const element of [...spoken].slice(0, 50)) {
    const text = shorten(element.textContent || "", 120);
    if (text && isShown(element)) texts.push(text);
  }
  return texts;
};
