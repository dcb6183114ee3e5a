// The one element that a command means, or nothing where that is not certain.
const resolveTarget = (() => {
  const NAME_LIMIT = 120;
  // Equal elements can have changed places since the snapshot; its marks tell.
  const inOldOrder = (found) => {
    if (found.length === 1) return true;
    const seen = (document[KEY] || {}).seen;
    const places = found.map((element) => (seen && seen.get(element) ? seen.get(element).order : null));
    return places.every((place, at) => place && (at === 0 || places[at - 1] < place));
  };
  // A field for a date has refs for its parts only; where it has a label, each has its name twice.
  const PARTS = {
    Month: ["date", "month", "datetime-local"], Day: ["date", "datetime-local"],
    Year: ["date", "month", "week", "datetime-local"], Week: ["week"],
    Hours: ["time", "datetime-local"], Minutes: ["time", "datetime-local"], "AM/PM": ["time", "datetime-local"],
  };
  const testOf = (aim) => {
    const name = flat(aim.name);
    const [, part, twice] = /^(.+?)( \1)?$/.exec(name);
    const types = aim.role === "spinbutton" && Object.hasOwn(PARTS, part) ? PARTS[part] : [];
    const isLabelled = (field) =>
      Boolean(flat(labelledBy(field)) || field.ariaLabel || labelsOf(field).some((one) => flat(labelWords(one))));
    const hasPart = (field) =>
      field.tagName === "INPUT" && types.includes(field.type) && isLabelled(field) === Boolean(twice);
    return (element) => (spokenRole(element) === aim.role && spokenName(element) === name) || hasPart(element);
  };
  const byLocator = (aim) => {
    const found = hasFrames() ? [] : fittingOf(aim);
    return found.length === 1 ? found[0] : null;
  };
  // With `gone` those that were shown in the snapshot and are hidden now.
  const byRole = (aim, gone) => {
    if (!aim.name || aim.name.length >= NAME_LIMIT) return null;
    const fits = testOf(aim);
    const roots = readableRoots().filter((root) => root === document || root.ownerDocument === document);
    const seen = (document[KEY] || {}).seen;
    const wasShown = (element) => Boolean(seen && seen.get(element) && seen.get(element).shown);
    const found = [];
    for (const root of roots) {
      for (const element of root.querySelectorAll("button,input,select,textarea,a,h1,h2,h3,h4,h5,h6,[role]")) {
        const same = fits(element);
        // Styled controls are often transparent.
        const shown = same && element.checkVisibility({ visibilityProperty: true });
        const there = gone ? same && !shown && wasShown(element) : shown;
        if (there && !element.closest("[aria-hidden=true]")) found.push(element);
      }
    }
    // Of several the place in the page decides, which is certain only among all of the snapshot.
    const ordered = found.every((element) => element.getRootNode() === found[0].getRootNode());
    return found.length === aim.count && ordered && inOldOrder(found) ? found[aim.index] || null : null;
  };
  return (aim, gone = false) => {
    try {
      if (aim.role) return byRole(aim, gone);
      if (gone) return null;
      if (aim.locator) return byLocator(aim);
      const found = candidatesOf(aim);
      return found.length === 1 ? found[0] : null;
    } catch {
      return null;
    }
  };
})();
// What a selector fits, of which upstream takes the first.
const candidatesOf = (aim) => {
  // A frame may have been chosen, where the selector means another element.
  if (hasFrames()) return [];
  if (!aim.xpath) return document.querySelectorAll(aim.selector);
  const found = document.evaluate(aim.xpath, document, null, 7, null);
  const all = Array.from({ length: found.snapshotLength }, (_, at) => found.snapshotItem(at));
  return all.every((node) => node.nodeType === 1) ? all : [];
};
