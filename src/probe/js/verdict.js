// In a batch a step that did not take effect keeps the next ones from running, like one that failed.
const FAILED_FILL = /^(empty|unchanged|disabled|read-only|astray)$/;
const stopIfFailed = async (marker, pending) => {
  const page = await pending;
  const failed = Object.values(page.answers || {}).some((answer) => answer && answer.failed);
  if (failed || (page.fill && FAILED_FILL.test(page.fill.verdict))) {
    throw new Error(marker + JSON.stringify(page));
  }
  return page;
};
