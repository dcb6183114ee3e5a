// In front of an acting command: refuse another document.
// Whatever goes wrong in the check counts as another document: no understood answer, no act.
const isExpected = ({ doc, frames, armed, notBlank }) => {
  if (notBlank) return location.href !== "about:blank";
  // Between two rows of ours a new document shows by the missing observers.
  if (armed) return Boolean(document[KEY] && document[KEY].stop);
  return identityOf(window) === doc && (!frames || JSON.stringify(frameIdentities(window)) === JSON.stringify(frames));
};
// Where the page is instead; the press in front of this row may have landed here.
const elsewhere = ({ armed }) => {
  try {
    return { ...pageNow(), ...(armed ? inputSoFar() : {}) };
  } catch {
    return {};
  }
};
const checkIdentity = (ask) => {
  if (!ask.expect) return;
  let same = false;
  try {
    same = isExpected(ask.expect);
  } catch {
    same = false;
  }
  if (!same) throw new Error(ask.marker + asJson(elsewhere(ask.expect)));
  if (ask.refound && mayBeRefound()) throw new Error(ask.refoundMarker);
  const taken = ask.meant && takenOverFrom(ask.meant);
  if (taken) throw new Error(ask.takenMarker + asJson({ name: nameOf(taken) }));
};
// Controls of the snapshot are gone and new ones are there: upstream may find the ref again in one
// of these, by role and name alone.
const mayBeRefound = () => {
  const state = document[KEY];
  if (!state || !state.seen) return true;
  let kept = 0;
  let fresh = 0;
  for (const root of readableRoots()) {
    for (const element of root.querySelectorAll(INTERACTIVE)) {
      const known = state.seen.get(element);
      // What was no control then has taken no control's place.
      if (known && known.order) kept += 1;
      else fresh += 1;
    }
  }
  return fresh > 0 && kept < state.controls;
};
