// What the command has begun and the page has not finished: a request without an answer, then a
// moment for what the page makes of the answer.
const MOMENT_MS = 250;
const SHOWN_MOMENT_MS = 100;
const isBusy = (state) => busyParts().some((part) => !state.busy.includes(part) && isShown(part));
const isWorking = (state) => {
  const { open, endedAt } = state.requests || { open: [], endedAt: 0 };
  if ([...open].some((request) => !request.patient) || isBusy(state)) return true;
  // Handlers of an answer may run a little before its end is noticed.
  const followed = state.changedAt >= endedAt - 5;
  const moment = state.changed ? SHOWN_MOMENT_MS : MOMENT_MS;
  return endedAt > 0 && !followed && performance.now() - endedAt < moment;
};
const pendingOf = (state) => {
  const [first] = (state.requests || { open: [] }).open;
  return first ? { method: shorten(first.method, 10), path: shorten(first.path, 80) } : null;
};
