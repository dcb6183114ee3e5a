// Was anything selected? Upstream sends a real list a change event, and does nothing at all to
// anything else.
const chosenIn = (list) => [...list.options].filter((option) => option.selected);
const hasUnreadableFrame = () => frameIdentities(window).includes("other-origin");
const kindOf = (element) => {
  if (!element || element.tagName !== "INPUT") return "other";
  if (/^(checkbox|radio)$/.test(element.type)) return "choice";
  return spokenRole(element) === "combobox" || element.readOnly || element.disabled ? "other" : "text";
};
questions.selected = {
  before: (ask) => {
    const kept = { list: null, chosen: [], stirred: false };
    const saw = (event) => {
      const target = event.composedPath()[0];
      if (event.isTrusted || target.tagName !== "SELECT") return;
      kept.list = target;
      kept.chosen = chosenIn(target);
    };
    const observer = new MutationObserver(() => {
      kept.stirred = true;
    });
    const roots = readableRoots();
    for (const root of roots) {
      root.addEventListener("change", saw, true);
      observer.observe(root, { subtree: true, childList: true, characterData: true });
    }
    kept.undo = () => {
      observer.disconnect();
      for (const root of roots) root.removeEventListener("change", saw, true);
    };
    return kept;
  },
  after: (ask, kept) => {
    if (!kept) return undefined;
    const { list, chosen } = kept;
    if (!list) {
      const meant = ask.aim ? resolveTarget(ask.aim) : null;
      if (meant ? meant.tagName === "SELECT" : hasUnreadableFrame()) return undefined;
      return { verdict: "no-list", kind: kindOf(meant), failed: true };
    }
    const now = chosenIn(list);
    const same = now.length === chosen.length && now.every((option) => chosen.includes(option));
    if (same || !list.isConnected) return { verdict: "selected", disabled: list.disabled };
    const shows = shorten(now.map((option) => option.label).join(", "), 80);
    return { verdict: "set-back", shows, failed: !kept.stirred };
  },
};
