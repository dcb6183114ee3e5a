// Addresses whose code runs in this document: an error that names only others is of an earlier one.
const FULL_LIST = 250;
questions.scripts = {
  after: () => {
    const bare = (address) => address.split(/[?#]/)[0];
    const found = new Set();
    for (const root of readableRoots()) {
      const view = root.defaultView;
      if (!view) continue;
      const loaded = view.performance.getEntriesByType("resource");
      if (loaded.length >= FULL_LIST) return undefined;
      const opened = view.performance.getEntriesByType("navigation");
      found.add(bare(view.location.href));
      // A page may have emptied the list.
      for (const script of root.scripts || []) if (script.src) found.add(bare(script.src).slice(0, 1000));
      for (const entry of [...opened, ...loaded]) {
        if (!/^(img|css|fetch|xmlhttprequest|beacon|video|audio|track)$/.test(entry.initiatorType)) {
          found.add(bare(entry.name).slice(0, 1000));
        }
      }
    }
    return [...found];
  },
};
