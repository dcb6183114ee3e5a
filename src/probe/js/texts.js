// How many elements a selector matches, and which of them can be seen.
const LOOKED_AT = 500;
const isSeen = (element) =>
  isShown(element) && [...element.getClientRects()].some((box) => box.width > 0 && box.height > 0);
const matchesOf = (selector) => {
  const found = [...document.querySelectorAll(selector)];
  if (found.length < 2) return null;
  const seen = found.slice(0, LOOKED_AT).map((element, index) => [element, index]).filter(([one]) => isSeen(one));
  const candidates = seen.slice(0, 8).map(([element, index]) => ({
    index,
    tagName: element.tagName.toLowerCase(),
    role: element.getAttribute("role"),
    textPreview: shorten(element.innerText || "", 80),
  }));
  const firstVisible = seen.length > 0 && seen[0][1] === 0;
  return { selector, matchCount: found.length, visibleCount: seen.length, firstVisible, candidates };
};
questions.texts = {
  after: (ask) => {
    const reports = [];
    for (const selector of ask.selectors) {
      try {
        const report = matchesOf(selector);
        if (report) reports.push(report);
      } catch {
        // Not a selector of the page.
      }
    }
    return reports;
  },
};
