// The innermost focused element that can be read, as words. A value may be a secret: it stays.
let focused = document.activeElement;
for (let depth = 0; focused && depth < 20; depth += 1) {
  let inner = focused.shadowRoot && focused.shadowRoot.activeElement;
  if (!inner && focused.tagName === "IFRAME") {
    try {
      inner = focused.contentDocument && focused.contentDocument.activeElement;
    } catch {
      inner = null;
    }
  }
  if (!inner) break;
  focused = inner;
}
if (!focused || focused === focused.ownerDocument.body) return { focused: null };
const cut = (text) => String(text || "").replace(/\s+/g, " ").trim().slice(0, 120);
const label = focused.labels && focused.labels[0] && focused.labels[0].innerText;
const spoken = focused.getAttribute("aria-label") || label || focused.getAttribute("placeholder");
return {
  focused: {
    tag: focused.tagName.toLowerCase(),
    role: cut(focused.getAttribute("role")),
    type: cut(focused.getAttribute("type")),
    name: cut(spoken || focused.getAttribute("name") || focused.getAttribute("title")),
    editable: Boolean(focused.isContentEditable || "value" in focused),
  },
};
