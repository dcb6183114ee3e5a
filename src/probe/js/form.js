// What keeps a form back: the browser tells each of its fields that is not in order.
const watchForms = (state, undo) => {
  state.invalid = [];
  const held = (event) => state.invalid.push(event.composedPath()[0]);
  const sent = () => {
    state.submitted = true;
  };
  const pressed = (event) => {
    if (event.isTrusted) state.key = event.key;
  };
  listenTo(undo, window, "invalid", held, true);
  listenTo(undo, window, "submit", sent, true);
  listenTo(undo, window, "keydown", pressed, true);
};
