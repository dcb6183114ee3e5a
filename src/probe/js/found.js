// Upstream marks the element that `find` means and takes the mark away by a script, which hangs as
// long as a dialog is open. A mark of ours on the same element lets the click be a row of its own.
const FOUND = "data-agent-browser-found";
const unmarkFound = () => {
  for (const element of document.querySelectorAll(`[${FOUND}]`)) element.removeAttribute(FOUND);
};
const shownAmong = (list, fits) => {
  const found = [...list].slice(0, NODE_LIMIT).filter((element) => fits(element) && isShown(element));
  return found.filter((element) => !element.closest("[aria-hidden=true]"));
};
// The elements that can be seen and fit the words of a locator, as upstream compares them.
const fittingOf = (ask) => {
  const fits = (text) => (ask.exact ? text.trim() === ask.value : text.includes(ask.value));
  const name = (ask.name || "").toLowerCase();
  const named = (spoken) =>
    !ask.name || (ask.exact ? spoken === ask.name : spoken.toLowerCase().includes(name));
  const attribute = { placeholder: "placeholder", alt: "alt", title: "title", testid: "data-testid" };
  if (ask.locator === "text") {
    const isLeaf = (element) => element.children.length === 0 && fits(element.textContent || "");
    return shownAmong(document.querySelectorAll("*"), isLeaf);
  }
  if (ask.locator === "role") {
    const isMeant = (element) => spokenRole(element) === ask.value && named(spokenName(element));
    return shownAmong(document.querySelectorAll(INTERACTIVE), isMeant);
  }
  if (ask.locator === "label") {
    const byLabel = [...document.querySelectorAll("label")].filter((label) => fits(label.textContent || ""));
    const byAria = [...document.querySelectorAll("[aria-label]")].filter((one) => fits(one.ariaLabel || ""));
    const controls = new Set([...byLabel.map((label) => label.control), ...byAria]);
    return shownAmong([...controls].filter(Boolean), () => true);
  }
  const key = attribute[ask.locator];
  if (!key) return [];
  return shownAmong(document.querySelectorAll(`[${key}]`), (element) => element.getAttribute(key) === ask.value);
};
questions.found = {
  before: (ask) => {
    unmarkFound();
    const observer = new MutationObserver((records) => {
      observer.disconnect();
      records[0].target.setAttribute(FOUND, "");
    });
    const attributeFilter = ["data-agent-browser-located"];
    if (ask.mark) observer.observe(document, { subtree: true, attributes: true, attributeFilter });
    const undo = () => {
      observer.disconnect();
      unmarkFound();
    };
    return { undo, answer: fittingOf(ask).length };
  },
  after: () => undefined,
};
