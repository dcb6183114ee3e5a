// What goes wrong in the page while the command runs: errors that nobody caught, and requests that
// began behind it and were answered with a failure.
const TOLD_ERRORS = 3;
const ENTRY_MS = 30;
const errorWords = (reason) => {
  try {
    const named = reason && reason.name && reason.message !== undefined;
    return shorten(named ? `${reason.name}: ${reason.message}` : String(reason), 200);
  } catch {
    return "";
  }
};
questions.trouble = {
  before: () => {
    const began = performance.now();
    const kept = { thrown: [], failed: [], began, entries: 0, state: document[KEY], answer: true };
    const threw = (event) => {
      if (event.isTrusted && kept.thrown.length < 50) kept.thrown.push(event);
    };
    const views = [window];
    for (const frame of framesOf(window).slice(0, 20)) {
      try {
        if (frame.document) views.push(frame);
      } catch {
        // A frame of another origin.
      }
    }
    const undo = [];
    for (const view of views) for (const type of ["error", "unhandledrejection"]) listenTo(undo, view, type, threw);
    kept.note = (entries) => {
      const sent = entries.filter(
        (entry) => entry.startTime >= began && /^(fetch|xmlhttprequest)$/.test(entry.initiatorType),
      );
      const bad = sent.filter((entry) => entry.responseStatus >= 400);
      kept.entries += sent.length;
      if (kept.noted && sent.length) kept.noted();
      kept.failed.push(...bad.map((entry) => ({ status: entry.responseStatus, url: entry.name.slice(0, 2000) })));
    };
    kept.observer = new PerformanceObserver((list) => kept.note(list.getEntries()));
    kept.observer.observe({ type: "resource" });
    kept.undo = () => {
      kept.observer.disconnect();
      for (const step of undo.splice(0)) step();
    };
    return kept;
  },
  after: async (ask, kept) => {
    if (!kept) return undefined;
    kept.note(kept.observer.takeRecords());
    // A page may act on the head of an answer; the entry comes with its end.
    const { endedAt } = (kept.state && kept.state.requests) || { endedAt: 0 };
    if (endedAt > 0 && !kept.entries) {
      await new Promise((resolve) => {
        kept.noted = resolve;
        setTimeout(resolve, ENTRY_MS);
      });
      kept.note(kept.observer.takeRecords());
    }
    // One that a handler of the page has dealt with is no trouble, nor is a layout that took two turns.
    const open = kept.thrown.filter((event) => !event.defaultPrevented);
    const words = open.map((event) =>
      event.type === "error" && !event.error
        ? shorten((event.message || "").replace(/^Uncaught /, ""), 200)
        : errorWords(event.type === "error" ? event.error : event.reason),
    );
    const thrown = [...new Set(words)].filter((text) => text && !text.startsWith("ResizeObserver loop"));
    if (!thrown.length && !kept.failed.length) return undefined;
    return { thrown: thrown.slice(0, TOLD_ERRORS), failed: kept.failed.slice(0, 1), failures: kept.failed.length };
  },
};
