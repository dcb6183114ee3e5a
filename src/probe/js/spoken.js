// Role and name of a control, as upstream's snapshot and `find role` speak of it.
const flat = (text) => text.trim().replace(/\s+/g, " ");
const INPUT_ROLES = {
  button: "button", submit: "button", reset: "button", image: "button", checkbox: "checkbox",
  radio: "radio", search: "searchbox", text: "textbox", email: "textbox", tel: "textbox",
  url: "textbox", password: "textbox", number: "spinbutton", range: "slider",
};
const spokenRole = (element) => {
  const given = (element.getAttribute("role") || "").trim().split(/\s+/)[0];
  if (given) return given;
  const tag = element.tagName;
  if (tag === "BUTTON") return "button";
  if (tag === "TEXTAREA") return "textbox";
  if (tag === "A") return element.hasAttribute("href") ? "link" : "";
  if (tag === "SELECT") return element.multiple || element.size > 1 ? "listbox" : "combobox";
  if (/^H[1-6]$/.test(tag)) return "heading";
  if (tag !== "INPUT") return "";
  const role = INPUT_ROLES[element.type] || "";
  return element.list && /box$/.test(role) && role !== "checkbox" ? "combobox" : role;
};
const spokenName = (element) => {
  const by = flat(labelledBy(element));
  if (by) return by;
  const label = element.getAttribute("aria-label");
  if (label && label.trim()) return flat(label);
  const labels = element.tagName === "BUTTON" ? [] : labelsOf(element);
  const told = flat(labels.map(labelWords).join(" "));
  if (told) return told;
  if (element.tagName === "INPUT" && spokenRole(element) === "button") {
    const usual = { submit: "Submit", reset: "Reset" }[element.type] || "";
    return flat(element.value || element.alt || element.title || usual);
  }
  const own = /^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName) ? "" : flat(labelWords(element));
  return own || flat(element.getAttribute("title") || element.getAttribute("placeholder") || "");
};
