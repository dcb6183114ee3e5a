// Does the focused combobox show what can be chosen?
const CHOICES = "[role=option],[role=menuitem],[role=menuitemradio],[role=treeitem],[role=gridcell]";
const shownCount = (selector) => {
  let count = 0;
  for (const root of readableRoots()) {
    count += [...root.querySelectorAll(selector)].filter(isShown).length;
  }
  return count;
};
const focusedCombobox = () => {
  const field = deepActive();
  const box = field && field.closest ? field.closest("[role=combobox]") : null;
  return box && box.hasAttribute("aria-expanded") ? box : null;
};
const choicesShown = (box) => {
  const lists = shownCount("[role=listbox],[role=menu],[role=tree],[role=grid]");
  const options = shownCount(CHOICES);
  const popup = box.getAttribute("aria-controls") || box.getAttribute("aria-owns");
  const controlled = popup && box.getRootNode().getElementById(popup);
  return { lists, options, popup: Boolean(controlled && isShown(controlled) && controlled.childElementCount) };
};
questions.combobox = {
  before: () => {
    const box = focusedCombobox();
    return { open: Boolean(box && choicesShown(box).options), answer: null };
  },
  // Choices may come from a server.
  after: async (ask, kept, began) => {
    const box = focusedCombobox();
    if (!box || !kept || kept.open) return undefined;
    let shown = choicesShown(box);
    while (!shown.lists && !shown.options && !shown.popup && performance.now() < began + ask.waitMs) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      shown = choicesShown(box);
    }
    if (shown.lists || shown.options || shown.popup) return undefined;
    return {
      role: "combobox",
      tag: box.tagName.toLowerCase(),
      expanded: box.getAttribute("aria-expanded"),
      hasPopup: box.getAttribute("aria-haspopup"),
      name: nameOf(box),
    };
  },
};
