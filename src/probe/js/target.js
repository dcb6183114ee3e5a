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
  const byRole = (aim) => {
    if (!aim.name || aim.name.length >= NAME_LIMIT) return null;
    const name = flat(aim.name);
    const roots = readableRoots().filter((root) => root === document || root.ownerDocument === document);
    const found = [];
    for (const root of roots) {
      for (const element of root.querySelectorAll("button,input,select,textarea,a,h1,h2,h3,h4,h5,h6,[role]")) {
        const same = spokenRole(element) === aim.role && spokenName(element) === name;
        // Styled controls are often transparent.
        const there = same && element.checkVisibility({ visibilityProperty: true });
        if (there && !element.closest("[aria-hidden=true]")) found.push(element);
      }
    }
    // Of several the place in the page decides, which is certain only among all of the snapshot.
    const ordered = found.every((element) => element.getRootNode() === found[0].getRootNode());
    return found.length === aim.count && ordered && inOldOrder(found) ? found[aim.index] || null : null;
  };
  return (aim) => {
    try {
      if (aim.role) return byRole(aim);
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
  if (window.length) return [];
  if (!aim.xpath) return document.querySelectorAll(aim.selector);
  const found = document.evaluate(aim.xpath, document, null, 7, null);
  const all = Array.from({ length: found.snapshotLength }, (_, at) => found.snapshotItem(at));
  return all.every((node) => node.nodeType === 1) ? all : [];
};
