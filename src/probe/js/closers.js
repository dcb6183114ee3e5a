(ask) => {
  // Every element, those of open shadow roots included, as far as the bound goes.
  const all = [];
  const walk = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (all.length > 50000) return;
      all.push(element);
      if (element.shadowRoot) walk(element.shadowRoot);
    }
  };
  walk(document);
  const shown = (box) => box.width > 0 && box.height > 0 && box.right > 0 && box.bottom > 0
    && box.left < innerWidth && box.top < innerHeight;
  const drawn = (element) => shown(element.getBoundingClientRect()) && element.checkVisibility({ visibilityProperty: true });
  // Without an id every element of the tag would do: then only what is lifted out of the text.
  const isLifted = (element) => /fixed|absolute|sticky/.test(getComputedStyle(element).position);
  const fits = (element) => ask.tag !== null && element.localName === ask.tag
    && (ask.id ? element.id === ask.id : isLifted(element));
  const covers = new Set(all.filter((element) => fits(element) && drawn(element)));
  const dialogs = new Set(all.filter((element) => element.matches('dialog[open], [role=dialog], [role=alertdialog]') && drawn(element)));
  const above = (element) => element.parentElement || element.getRootNode().host || null;
  const within = (element, places) => {
    for (let at = element; at; at = above(at)) if (places.has(at)) return true;
    return false;
  };
  const deepest = (x, y) => {
    let found = document.elementFromPoint(x, y);
    while (found && found.shadowRoot) {
      const inner = found.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === found) break;
      found = inner;
    }
    return found;
  };
  // What lies on top in the area of the cover belongs to it, wherever it stands in the document.
  const onTop = (element) => {
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const inside = [...covers].some((cover) => {
      const area = cover.getBoundingClientRect();
      return area.left <= x && x <= area.right && area.top <= y && y <= area.bottom;
    });
    const top = inside ? deepest(x, y) : null;
    return top !== null && within(top, new Set([element]));
  };
  const flat = (text) => (text || '').replace(/\s+/g, ' ').trim().toLowerCase();
  const names = new Set();
  for (const element of all) {
    if (!element.matches('button, a, input, summary, [role=button], [role=link], [role=menuitem]') || !drawn(element)) continue;
    if (!within(element, covers) && !within(element, dialogs) && !onTop(element)) continue;
    const image = element.querySelector('img[alt]');
    for (const name of [element.getAttribute('aria-label'), element.textContent, element.title, element.value, image && image.alt]) {
      if (typeof name === 'string' && flat(name) && name.length < 200) names.add(flat(name));
    }
  }
  return { names: [...names].slice(0, 500) };
}
