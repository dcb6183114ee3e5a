// The innermost focused element that can be read, as words. A value may be a secret: it stays.
const focusNow = () => {
  const focused = deepActive();
  if (!focused || focused === focused.ownerDocument.body) return { focused: null };
  const told = (name) => shorten(focused.getAttribute(name) || "", 120);
  const [label] = labelsOf(focused).map((one) => shorten(one.innerText, 120));
  return {
    focused: {
      tag: focused.tagName.toLowerCase(),
      role: told("role"),
      type: told("type"),
      name: told("aria-label") || label || told("placeholder") || told("name") || told("title"),
      editable: Boolean(focused.isContentEditable || "value" in focused),
    },
  };
};
