// Questions of single diagnostics, each with its own object back. What one keeps in front of the
// command is there for it behind the command; the next call replaces it.
const questions = {};
const KEPT_MS = 5000;
const QUESTIONS = Symbol.for("agent-browser-native.questions");
// Listeners of a question go with what it keeps.
const letGo = (kept) => {
  for (const one of Object.values(kept || {})) if (one.undo) one.undo();
  if (document[QUESTIONS] === kept) delete document[QUESTIONS];
};
const askInFront = (asks, page) => {
  letGo(document[QUESTIONS]);
  const kept = {};
  page.answers = {};
  for (const [id, ask] of Object.entries(asks)) {
    try {
      kept[id] = questions[id].before(ask);
      page.answers[id] = kept[id].answer;
    } catch {
      delete kept[id];
    }
  }
  Object.defineProperty(document, QUESTIONS, { value: kept, configurable: true });
  // What a later call keeps is not ours to let go.
  setTimeout(() => document[QUESTIONS] === kept && letGo(kept), KEPT_MS);
  return page;
};
const askBehind = async (asks, pending) => {
  const page = await pending;
  // Since the command, not since the end of the wait for its effect.
  const began = performance.now() - (page.waitedMs || 0);
  const kept = document[QUESTIONS] || {};
  page.answers = {};
  for (const [id, ask] of Object.entries(asks)) {
    try {
      const answer = await questions[id].after(ask, kept[id], began);
      if (answer !== undefined) page.answers[id] = answer;
    } catch {
      // A question that fails says nothing.
    }
  }
  letGo(kept);
  return page;
};
