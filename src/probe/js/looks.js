// Behind a single command nothing waits in the page: a dialog that came up meanwhile would keep the
// answer back for 30 s. Rows look, and upstream rests between them; the look that sees the end throws
// its answer, so that no further row runs.
const watching = () => {
  const kept = document[KEY];
  return kept && kept.stop && kept.doc === identityOf(window) ? kept : null;
};
const endLooks = async (marker, page) => {
  throw new Error(marker + asJson(await page));
};
// What there is to say now, or nothing while it is not over.
const seenNow = (ask, state, began, turn) => {
  // A form that was collected is about to be sent; the navigation shows with the page's next tasks.
  if (state.collected && !state.ran && !isGoing(state)) return null;
  const waited = Math.round(performance.now() - began);
  const effect = effectOf(state, readableRoots());
  if (isSettled(state, effect)) return { effect };
  // While the page works on it, it gets longer.
  const longest = ask.waitMs + (isWorking(state) ? ask.workMs : 0);
  return turn.last || waited >= longest ? { waited } : null;
};
const lookBehind = (ask, answer) => {
  const state = watching();
  if (!state) return endLooks(ask.marker, answer());
  const began = performance.now();
  state.look = (turn) => {
    try {
      state.looked = seenNow(ask, state, began, turn);
    } catch {
      // The answer fails in the same way, and says so.
      state.looked = {};
    }
    return state.looked ? endLooks(ask.marker, answer()) : null;
  };
  setTimeout(() => {
    state.ran = true;
  }, 0);
  return state.look({});
};
// The document is another one by now, or its watching has ended by itself.
const lookAgain = (ask) => {
  const state = watching();
  return state && state.look ? state.look(ask) : endLooks(ask.marker, pageBehind(ask, null));
};
