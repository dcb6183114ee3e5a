// In a batch a step that did not take effect keeps the next ones from running, like one that failed.
const FAILED_FILL = /^(empty|unchanged|disabled|read-only|astray)$/;
// The press was seen elsewhere, or nowhere and nothing came of it.
const hasMissed = (press, effect) => {
  if (!press || press.reached !== 0 || press.taken) return false;
  const happened = effect.changed || effect.focused || effect.download || effect.leaving;
  return press.elsewhere > 0 || !happened;
};
const stopIfFailed = async (marker, pending) => {
  const page = await pending;
  const [answers, effect] = [page.answers || {}, page.effect || {}];
  const answered = Object.values(answers).some((answer) => answer && answer.failed);
  const failed = answered || effect.stopped || hasMissed(answers.press, effect);
  if (failed || (page.fill && FAILED_FILL.test(page.fill.verdict))) {
    throw new Error(marker + asJson(page));
  }
  return page;
};
