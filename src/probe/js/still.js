// When the way to an element is free and nothing of the page moves: no transition that comes to an
// end, nothing added or styled by a script for a while.
const isAnimated = () =>
  document.getAnimations().some(
    (one) => one.playState === "running" && Number.isFinite(one.effect.getComputedTiming().endTime),
  );
const isFree = (element) => {
  const box = element.getBoundingClientRect();
  const top = element.getRootNode().elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return Boolean(top) && element.contains(top);
};
const whenStill = async (ask) => {
  const started = performance.now();
  let stirred = started;
  const observer = new MutationObserver(() => {
    stirred = performance.now();
  });
  const watched = { subtree: true, childList: true, attributes: true, attributeFilter: ["class", "style"] };
  observer.observe(document, watched);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const now = performance.now();
    const element = ask.aim ? resolveTarget(ask.aim) : null;
    if (isAnimated()) stirred = now;
    else if (element && isFree(element)) break;
    if (now - stirred > ask.quietMs || now - started > ask.limitMs) break;
  }
  observer.disconnect();
  return pageNow();
};
