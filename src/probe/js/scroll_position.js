// Where the page and its most prominent scroll containers stand. Containers are told apart by their
// place in the list, tag and role only.
const CONTAINERS = 10;
const prominent = () => {
  const found = [];
  for (const root of readableRoots()) {
    const own = root.nodeType === 9 && root !== document ? root.scrollingElement : null;
    if (own) found.push(own);
    for (const element of root.querySelectorAll("*")) {
      const tall = element.scrollHeight > element.clientHeight + 1;
      const wide = element.scrollWidth > element.clientWidth + 1;
      if ((!tall && !wide) || !element.clientHeight || element === document.scrollingElement) continue;
      const style = getComputedStyle(element);
      const scrolls = /auto|scroll|overlay/;
      if ((tall && scrolls.test(style.overflowY)) || (wide && scrolls.test(style.overflowX))) {
        found.push(element);
      }
    }
  }
  const area = (element) => element.clientWidth * element.clientHeight;
  return [...new Set(found)].sort((one, other) => area(other) - area(one)).slice(0, CONTAINERS);
};
const positions = (containers) => {
  const root = document.scrollingElement || document.documentElement;
  return {
    // Not `scrollY`: a page may have a variable of that name.
    viewport: { x: Math.round(root.scrollLeft), y: Math.round(root.scrollTop), width: innerWidth, height: innerHeight },
    document: { width: root.scrollWidth, height: root.scrollHeight },
    containers: containers.map((element, index) => ({
      index,
      tag: element.tagName.toLowerCase(),
      role: element.getAttribute("role"),
      x: Math.round(element.scrollLeft),
      y: Math.round(element.scrollTop),
    })),
  };
};
questions.scroll = {
  before: () => {
    const containers = prominent();
    const answer = positions(containers);
    return { containers, answer };
  },
  // With smooth scrolling nothing has moved yet when the command answers.
  after: async (ask, kept) => {
    if (!kept) return undefined;
    const place = (sample) =>
      JSON.stringify([sample.viewport.x, sample.viewport.y, sample.containers.map((c) => [c.x, c.y])]);
    const first = place(kept.answer);
    const until = performance.now() + ask.waitMs;
    let sample = positions(kept.containers);
    while (place(sample) === first && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      sample = positions(kept.containers);
    }
    return { ...sample, moved: place(sample) !== first };
  },
};
