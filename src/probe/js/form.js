// What keeps a form back: the browser tells each of its fields that is not in order.
const watchForms = (state, undo, views) => {
  state.invalid = [];
  const held = (event) => state.invalid.push(event.composedPath()[0]);
  const sent = () => {
    state.submitted = true;
  };
  const pressed = (event) => {
    if (event.isTrusted) state.key = event.key;
  };
  for (const view of views) {
    listenTo(undo, view, "invalid", held, true);
    listenTo(undo, view, "submit", sent, true);
    listenTo(undo, view, "keydown", pressed, true);
  }
};
