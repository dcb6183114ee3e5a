// What stands in an open dialog: its words, and its controls by the words that the snapshot has for
// them, in the order of the page.
const FRONT_LIMIT = 40;
const frontOf = (dialog) => {
  const name = dialogName(dialog);
  const text = dialogWords(dialog, 240);
  const controls = [];
  for (const element of dialog.querySelectorAll(INTERACTIVE)) {
    const role = spokenRole(element);
    if (!NAMED.test(role) || !element.checkVisibility({ visibilityProperty: true })) continue;
    controls.push({ role, name: shorten(spokenName(element), 80) });
    if (controls.length === FRONT_LIMIT) break;
  }
  const repeats = `${text} `.startsWith(`${name} `);
  return { text: repeats ? text.slice(name.length).trimStart() : text, controls };
};
