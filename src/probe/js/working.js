// What the command has begun and the page has not finished: a request without an answer, then a
// moment for what the page makes of the answer, in more than one step at times.
const MOMENT_MS = 250;
const SHOWN_MOMENT_MS = 100;
const QUIET_MS = 60;
const DRAWN_MS = 400;
const isBusy = (state) => busyParts().some((part) => !state.busy.includes(part) && isShown(part));
const isAsking = (state) => {
  const { open, endedAt } = state.requests || { open: [], endedAt: 0 };
  if ([...open].some((request) => !request.patient)) return true;
  if (!endedAt) return false;
  const now = performance.now();
  // Handlers of an answer may run a little before its end is noticed.
  if (state.changedAt >= endedAt - 5) return now - state.changedAt < QUIET_MS && now - endedAt < DRAWN_MS;
  return now - endedAt < (state.changed ? SHOWN_MOMENT_MS : MOMENT_MS);
};
const isWorking = (state) => isAsking(state) || isBusy(state) || isFrameAsked(state);
const pendingOf = (state) => {
  const first = [...(state.requests || { open: [] }).open].find((request) => request.told);
  return first ? { method: shorten(first.method, 10), path: shorten(first.path, 80) } : null;
};
