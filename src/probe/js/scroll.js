// A scroll that upstream takes and ignores: inside a container, or to an end of the page.
const containersOf = (selector) => {
  if (selector.startsWith("xpath=")) {
    const type = XPathResult.ORDERED_NODE_SNAPSHOT_TYPE;
    const found = document.evaluate(selector.slice(6), document, null, type, null);
    return { first: found.snapshotItem(0), count: found.snapshotLength };
  }
  const found = document.querySelectorAll(selector);
  return { first: found[0], count: found.length };
};
const place = (element) => ({ x: Math.round(element.scrollLeft), y: Math.round(element.scrollTop) });
const farthest = (element) => ({
  x: Math.max(0, Math.round(element.scrollWidth - element.clientWidth)),
  y: Math.max(0, Math.round(element.scrollHeight - element.clientHeight)),
});
const differs = (one, other) => one.x !== other.x || one.y !== other.y;
const scrollContainer = (ask) => {
  let found = { first: null, count: 0 };
  try {
    found = containersOf(ask.selector);
  } catch {
    // Not a selector: nothing matches it.
  }
  const element = found.first;
  if (!element || element.nodeType !== 1) throw new Error(ask.missing);
  const sideways = ask.direction === "left" || ask.direction === "right";
  const [max, style] = [farthest(element), getComputedStyle(element)];
  const isPage = element === document.scrollingElement || element === document.documentElement;
  const overflow = sideways ? style.overflowX : style.overflowY;
  const scrollable = (sideways ? max.x : max.y) > 0 && (isPage || /auto|scroll|overlay|hidden/.test(overflow));
  const visible = sideways ? element.clientWidth : element.clientHeight;
  const amount = ask.percent === null ? ask.pixels : Math.round((visible * ask.percent) / 100);
  const by = ask.direction === "up" || ask.direction === "left" ? -amount : amount;
  const before = place(element);
  if (scrollable) element.scrollBy({ left: sideways ? by : 0, top: sideways ? 0 : by, behavior: "instant" });
  const after = place(element);
  const container = { tag: element.tagName.toLowerCase(), role: element.getAttribute("role") };
  const matches = found.count;
  return { scrollable, amount, before, after, max, moved: differs(before, after), matches, container };
};
const scrollPage = (ask) => {
  const page = document.scrollingElement || document.documentElement;
  const [before, max] = [place(page), farthest(page)];
  const top = ask.edge === "end" ? page.scrollHeight : 0;
  page.scrollTo({ left: page.scrollLeft, top, behavior: "instant" });
  const after = place(page);
  return { scrollable: max.y > 0, before, after, max, moved: differs(before, after) };
};
// The page hears of it with its next frame, and draws what came into view behind that. A page that is
// not shown has no frames.
const HEARD_MS = 100;
const whenHeard = async ({ moved }) => {
  if (!moved) return;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const over = new Promise((resolve) => setTimeout(resolve, HEARD_MS));
  await Promise.race([over, frame().then(frame)]);
};
