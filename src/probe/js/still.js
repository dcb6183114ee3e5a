// When nothing of the page moves: no transition that comes to an end, no style changed by a script.
const QUIET_MS = 60;
const isAnimated = () =>
  document.getAnimations().some(
    (one) => one.playState === "running" && Number.isFinite(one.effect.getComputedTiming().endTime),
  );
const whenStill = async (ask) => {
  const started = performance.now();
  let stirred = started;
  const observer = new MutationObserver(() => {
    stirred = performance.now();
  });
  const watched = { subtree: true, childList: true, attributes: true, attributeFilter: ["class", "style"] };
  observer.observe(document, watched);
  do {
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (isAnimated()) stirred = performance.now();
  } while (performance.now() - stirred < QUIET_MS && performance.now() - started < ask.limitMs);
  observer.disconnect();
  return pageNow();
};
