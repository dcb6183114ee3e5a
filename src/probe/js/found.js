// Upstream marks the element that `find` means and takes the mark away by a script, which hangs as
// long as a dialog is open. A mark of ours on the same element lets the click be a row of its own.
const FOUND = "data-agent-browser-found";
const unmarkFound = () => {
  for (const element of document.querySelectorAll(`[${FOUND}]`)) element.removeAttribute(FOUND);
};
// Lists are repeated without any room for readers that only listen.
const isDrawn = (element) => {
  const box = element.getBoundingClientRect();
  return isShown(element) && box.width > 0 && box.height > 0;
};
const shownAmong = (list, fits) => {
  const found = [...list].slice(0, NODE_LIMIT).filter((element) => fits(element) && isDrawn(element));
  return found.filter((element) => !element.closest("[aria-hidden=true]"));
};
// The elements that can be seen and fit the words of a locator, as upstream compares them, each with
// the words that were compared.
const fittingWords = (ask) => {
  const fits = (text) => (ask.exact ? text.trim() === ask.value : text.includes(ask.value));
  const name = (ask.name || "").toLowerCase();
  const named = (spoken) =>
    !ask.name || (ask.exact ? spoken === ask.name : spoken.toLowerCase().includes(name));
  const withWords = (list, words) => list.map((element) => ({ element, words: words(element).trim() }));
  if (ask.locator === "text") {
    const words = (element) => element.textContent || "";
    const isLeaf = (element) => element.children.length === 0 && fits(words(element));
    return withWords(shownAmong(document.querySelectorAll("*"), isLeaf), words);
  }
  if (ask.locator === "role") {
    const isMeant = (element) => spokenRole(element) === ask.value && named(spokenName(element));
    return withWords(shownAmong(document.querySelectorAll(INTERACTIVE), isMeant), spokenName);
  }
  if (ask.locator === "label") {
    const byLabel = [...document.querySelectorAll("label")].filter((label) => fits(label.textContent || ""));
    const byAria = [...document.querySelectorAll("[aria-label]")].filter((one) => fits(one.ariaLabel || ""));
    const controls = new Set([...byLabel.map((label) => label.control), ...byAria]);
    return withWords(shownAmong([...controls].filter(Boolean), () => true), () => "");
  }
  const key = FIND_ATTRIBUTES[ask.locator];
  if (!key) return [];
  const isMeant = (element) => element.getAttribute(key) === ask.value;
  return withWords(shownAmong(document.querySelectorAll(`[${key}]`), isMeant), () => "");
};
// What upstream has found; where that takes no room on the page, the only match that does.
const meantBy = (ask, located) => {
  const seen = isDrawn(located) ? [] : fittingOf(ask);
  return seen.length === 1 ? seen[0] : located;
};
// The check and the question in front of a command ask for the same.
let foundNow = null;
const fittingOnce = (ask) => {
  const wanted = JSON.stringify([ask.locator, ask.value, ask.name, ask.exact]);
  if (!foundNow) queueMicrotask(() => (foundNow = null));
  if (!foundNow || foundNow.wanted !== wanted) foundNow = { wanted, found: fittingWords(ask) };
  return foundNow.found;
};
const fittingOf = (ask) => fittingWords(ask).map((one) => one.element);
// Upstream takes the first that holds the words; one that has just these words may stand behind it.
const checkExact = (ask) => {
  let behind = false;
  try {
    const wanted = ask.locator === "role" ? ask.name : ask.value;
    const found = ask.exact || !wanted ? [] : fittingOnce(ask);
    behind = found.findIndex((one) => one.words === wanted) > 0;
  } catch {
    behind = false;
  }
  if (behind) throw new Error(ask.exactMarker);
};
questions.found = {
  before: (ask) => {
    unmarkFound();
    const observer = new MutationObserver((records) => {
      observer.disconnect();
      meantBy(ask, records[0].target).setAttribute(FOUND, "");
    });
    const attributeFilter = ["data-agent-browser-located"];
    if (ask.mark) observer.observe(document, { subtree: true, attributes: true, attributeFilter });
    const kept = {};
    const met = (event) => {
      if (event.isTrusted && !kept.name) kept.name = shorten(spokenName(targetOf(event)), 200);
    };
    const undo = [() => observer.disconnect(), unmarkFound];
    // A menu that opens with the press may take the focus first.
    listenToPresses(undo, window, ["pointerdown", "mousedown"], met);
    listenTo(undo, window, "focusin", met, true);
    kept.undo = () => {
      for (const step of undo.splice(0)) step();
    };
    const found = fittingOnce(ask);
    kept.answer = { count: found.length, name: found.length ? shorten(found[0].words, 200) : "" };
    return kept;
  },
  after: (ask, kept) => (kept && kept.name ? { name: kept.name } : undefined),
};
