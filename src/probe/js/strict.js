// Behind a step of a job: what was seen not to be done must keep the next step from running.
const isNotDone = (page) => {
  const effect = page.effect || {};
  if (effect.stopped) return true;
  if (page.fill && /^(empty|unchanged)$/.test(page.fill.verdict)) return true;
  const press = (page.answers || {}).press;
  if (!press || press.reached !== 0 || press.taken) return false;
  const happened = effect.changed || effect.focused || effect.download || effect.leaving;
  return press.elsewhere > 0 || !happened;
};
const orThrow = (marker, pending) =>
  Promise.resolve(pending).then((page) => {
    if (isNotDone(page)) throw new Error(marker + JSON.stringify(page));
    return page;
  });
