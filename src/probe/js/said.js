// Upstream answers an alert and the question about unsaved changes by itself, and nobody sees them. A
// document that is left meanwhile hands what they said to the next one of its site.
const ALERTS = 3;
const watchDialogs = (state, undo, roots) => {
  const said = { alerts: [], unsaved: false };
  state.said = said;
  const note = (words) => {
    try {
      if (said.alerts.length < ALERTS) said.alerts.push(shorten(String(words), 200));
    } catch {
      // What cannot be a text fails in the alert itself.
    }
  };
  for (const { defaultView: view } of roots) {
    if (view) wrap(undo, view, "alert", (call, self, args) => {
      note(args.length ? args[0] : "");
      return call();
    });
  }
  listenTo(undo, window, "beforeunload", (event) => {
    if (event.defaultPrevented || event.returnValue) said.unsaved = true;
  });
  listenTo(undo, window, "pagehide", () => leaveNote(state));
};
const leaveNote = ({ said }) => {
  try {
    if (saidBy({ said })) sessionStorage.setItem(NOTE, JSON.stringify({ ...said, at: Date.now() }));
  } catch {
    // A document without storage.
  }
};
const saidBy = ({ said }) => (said && (said.alerts.length || said.unsaved) ? said : null);
