// The one element that a command means, or nothing where that is not certain.
const resolveTarget = (() => {
  const NAME_LIMIT = 120;
  const flat = (text) => text.trim().replace(/\s+/g, " ");
  const INPUT_ROLES = {
    button: "button", submit: "button", reset: "button", image: "button", checkbox: "checkbox",
    radio: "radio", search: "searchbox", text: "textbox", email: "textbox", tel: "textbox",
    url: "textbox", password: "textbox",
  };
  const roleOf = (element) => {
    const given = (element.getAttribute("role") || "").trim().split(/\s+/)[0];
    if (given) return given;
    if (element.tagName === "BUTTON") return "button";
    if (element.tagName === "TEXTAREA") return "textbox";
    if (element.tagName === "SELECT") return element.multiple || element.size > 1 ? "listbox" : "combobox";
    if (element.tagName !== "INPUT") return "";
    const role = INPUT_ROLES[element.type] || "";
    return element.list && /box$/.test(role) && role !== "checkbox" ? "combobox" : role;
  };
  const spokenName = (element) => {
    const ids = (element.getAttribute("aria-labelledby") || "").split(/\s+/).filter(Boolean);
    const by = ids.map((id) => element.getRootNode().getElementById(id)).filter(Boolean);
    if (by.length) return flat(by.map((label) => label.textContent).join(" "));
    const label = element.getAttribute("aria-label");
    if (label && label.trim()) return flat(label);
    const labels = element.labels && element.tagName !== "BUTTON" ? [...element.labels] : [];
    const told = flat(labels.map((one) => one.textContent).join(" "));
    if (told) return told;
    if (element.tagName === "INPUT" && roleOf(element) === "button") {
      const usual = { submit: "Submit", reset: "Reset" }[element.type] || "";
      return flat(element.value || element.alt || element.title || usual);
    }
    const own = /^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName) ? "" : flat(element.textContent || "");
    return own || flat(element.title || element.placeholder || "");
  };
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
      for (const element of root.querySelectorAll("button,input,select,textarea,[role]")) {
        const same = roleOf(element) === aim.role && spokenName(element) === name;
        if (same && isShown(element) && !element.closest("[aria-hidden=true]")) found.push(element);
      }
    }
    // Of several the place in the page decides, which is certain only among all of the snapshot.
    const ordered = found.every((element) => element.getRootNode() === found[0].getRootNode());
    return found.length === aim.count && ordered && inOldOrder(found) ? found[aim.index] || null : null;
  };
  return (aim) => {
    try {
      if (aim.role) return byRole(aim);
      // A frame may have been chosen, where the selector means another element.
      if (window.length) return null;
      if (aim.xpath) {
        const found = document.evaluate(aim.xpath, document, null, 7, null);
        return found.snapshotLength === 1 && found.snapshotItem(0).nodeType === 1 ? found.snapshotItem(0) : null;
      }
      const found = document.querySelectorAll(aim.selector);
      return found.length === 1 ? found[0] : null;
    } catch {
      return null;
    }
  };
})();
