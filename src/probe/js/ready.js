// In front of a step of a job: the element that it means may still be on its way.
const SPOKEN_BY_TAG = {
  option: "option", heading: "h1,h2,h3,h4,h5,h6", list: "ul,ol", listitem: "li", table: "table",
  row: "tr", cell: "td", gridcell: "td", columnheader: "th", rowheader: "th", img: "img", image: "img",
  dialog: "dialog", article: "article", paragraph: "p", navigation: "nav", main: "main",
};
const FIND_ATTRIBUTES = { placeholder: "placeholder", alt: "alt", title: "title", testid: "data-testid" };
const isThere = (want) => {
  const roots = readableRoots();
  const some = (css, test) => roots.some((root) => [...root.querySelectorAll(css)].some(test));
  if (want.xpath) return document.evaluate(want.xpath, document, null, 9, null).singleNodeValue !== null;
  if (want.selector) return roots.some((root) => root.querySelector(want.selector) !== null);
  const attribute = FIND_ATTRIBUTES[want.locator];
  if (attribute) return some(`[${attribute}]`, (one) => one.getAttribute(attribute) === want.value);
  if (want.locator === "role") {
    const [role, name] = [want.value.toLowerCase(), flat(want.name || "").toLowerCase()];
    const tags = SPOKEN_BY_TAG[role] || "button";
    return some(`button,input,select,textarea,a,[role],${tags}`, (one) => {
      const is = spokenRole(one).toLowerCase() === role || (SPOKEN_BY_TAG[role] && one.matches(tags));
      return is && isShown(one) && spokenName(one).toLowerCase().includes(name);
    });
  }
  const text = flat(want.value);
  return (
    roots.some((root) => flat((root.body || root).textContent || "").includes(text)) ||
    some("[aria-label]", (one) => flat(one.getAttribute("aria-label")).includes(text))
  );
};
// What has just come may still be moving into its place.
const COMING_MS = 150;
const whenThere = async (want) => {
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const there = () => {
    try {
      return isThere(want);
    } catch {
      return true;
    }
  };
  const started = performance.now();
  while (!there()) {
    if (performance.now() - started >= want.waitMs) return;
    await pause(50);
    if (there()) await pause(COMING_MS);
  }
};
