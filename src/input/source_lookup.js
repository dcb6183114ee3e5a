// What the page itself says about where an element comes from. Reads only.
(ask) => {
  const FILES = ["data-source-file", "data-file", "data-component-file", "data-source"];
  const LINES = ["data-source-line", "data-line"];
  const COLUMNS = ["data-source-column", "data-column"];
  const LEVELS = 12;
  const cut = (text) => (typeof text === "string" && text ? text.slice(0, 400) : null);
  const first = (element, names) => {
    for (const name of names) {
      const value = element.getAttribute(name);
      if (value) return cut(value);
    }
    return null;
  };
  const parentOf = (element) => {
    const root = element.getRootNode();
    return element.parentElement || (root && root.host) || null;
  };
  // A ref cannot be named to a script: the element is told by its content and its place.
  const isSame = (element) => {
    const box = element.getBoundingClientRect();
    const near = (a, b) => Math.abs(a - b) < 1;
    return (
      element.innerHTML === ask.html &&
      near(box.x, ask.box.x) && near(box.y, ask.box.y) &&
      near(box.width, ask.box.width) && near(box.height, ask.box.height)
    );
  };
  const all = () =>
    ask.selector
      ? [...document.querySelectorAll(ask.selector)]
      : [...document.querySelectorAll("*")].filter(isSame);

  // React keeps what it made on the element; development builds also keep where.
  const fiberOf = (element) => {
    const key = Object.keys(element).find((name) => /^__react(Fiber|InternalInstance)\$/.test(name));
    return key ? element[key] : null;
  };
  const typeName = (type) =>
    type && typeof type !== "string"
      ? type.displayName || type.name || typeName(type.render) || typeName(type.type)
      : null;
  const nameOf = (fiber) => cut(typeName(fiber.type) || (fiber.type ? null : fiber.name));
  const ownersOf = (fiber) => {
    const names = [];
    const next = (one) => ("_debugOwner" in one ? one._debugOwner : one.owner);
    const known = fiber._debugOwner;
    let one = known || fiber.return;
    for (let steps = 0; one && steps < 60 && names.length < 3; steps += 1) {
      const name = nameOf(one);
      if (name && !names.includes(name)) names.push(name);
      one = known ? next(one) : one.return;
    }
    return names;
  };
  const react = (element) => {
    const fiber = fiberOf(element);
    if (!fiber) return null;
    const source = fiber._debugSource;
    const stack = fiber._debugStack && String(fiber._debugStack.stack || "");
    return {
      by: "React",
      owners: ownersOf(fiber),
      file: source ? cut(source.fileName) : null,
      line: source ? source.lineNumber : null,
      column: source ? source.columnNumber || null : null,
      stack: stack ? stack.split("\n").slice(0, 8).join("\n").slice(0, 4000) : null,
    };
  };
  const vue = (element) => {
    const type = element.__vueParentComponent && element.__vueParentComponent.type;
    if (!type) return null;
    const name = cut(type.name || type.__name);
    return { by: "Vue", owners: name ? [name] : [], file: cut(type.__file) };
  };
  const svelte = (element) => {
    const place = element.__svelte_meta && element.__svelte_meta.loc;
    if (!place) return null;
    return { by: "Svelte", owners: [], file: cut(place.file), line: place.line, column: place.column };
  };
  try {
    const found = all();
    const element = found[0];
    if (!element || (!ask.selector && found.length > 1)) return { matches: found.length };
    const attributes = [];
    let record = null;
    for (let one = element, up = 0; one && up < LEVELS; one = parentOf(one), up += 1) {
      const file = first(one, FILES);
      if (file) attributes.push({ up, file, line: first(one, LINES), column: first(one, COLUMNS) });
      if (!record) record = react(one) || vue(one) || svelte(one);
    }
    return { matches: found.length, attributes, record };
  } catch (error) {
    return { matches: 0, error: String(error).slice(0, 200) };
  }
}
