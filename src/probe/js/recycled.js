// A page that draws its items anew may put another item into an element that it keeps: what was called
// "Pay Beta" in the snapshot is called "Pay Alpha" now, and another element is called "Pay Beta". A name
// that has only changed, as those of counters do, is taken up by nobody.
const isTakenOver = (element) => {
  const seen = (document[KEY] || {}).seen;
  const known = seen && seen.get(element);
  if (!known || known.name === null) return false;
  const now = nameOf(element);
  const renamed = now !== known.name;
  if (!renamed && (!known.row || rowOf(element) === known.row)) return false;
  const takesOver = (other) => {
    if (other === element || nameOf(other) !== known.name) return false;
    const before = seen.get(other);
    if (renamed) return !before || before.name !== known.name;
    return rowOf(other) === known.row && (!before || before.row !== known.row);
  };
  return readableRoots().some((root) => [...root.querySelectorAll(INTERACTIVE)].some(takesOver));
};
// The element of a ref is not known here, but the one that fits its words now is: who was called so in
// the snapshot?
const takenOverFrom = (aim) => {
  const found = resolveTarget(aim);
  const seen = (document[KEY] || {}).seen;
  if (!found || !seen) return null;
  if (isTakenOver(found)) return found;
  const name = nameOf(found);
  const was = (other) => {
    const before = seen.get(other);
    return before && before.name === name && nameOf(other) !== name && isTakenOver(other);
  };
  if ((seen.get(found) || {}).name === name) return null;
  for (const root of readableRoots()) {
    const other = [...root.querySelectorAll(INTERACTIVE)].find(was);
    if (other) return other;
  }
  return null;
};
