// Is the control checked as it was asked to be? Pages may follow the press only some frames later.
const CHECKED_MS = 500;
const PRESSED_MS = 1500;
const CHECKABLE =
  "input[type=checkbox],input[type=radio],[role=checkbox],[role=radio],[role=switch],[role=menuitemcheckbox],[role=menuitemradio],[aria-checked]";
const isChecked = (control) =>
  control.matches("input[type=checkbox],input[type=radio]")
    ? control.checked
    : control.getAttribute("aria-checked") === "true";
const checkableOf = (element) => {
  if (!element) return null;
  if (element.matches(CHECKABLE)) return element;
  const control = element.tagName === "LABEL" ? element.control : element.querySelector(CHECKABLE);
  return control && control.matches(CHECKABLE) ? control : null;
};
const whenChecked = async (read, wanted, ms) => {
  const until = performance.now() + ms;
  while (read() !== wanted && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  return read();
};
questions.checked = {
  before: (ask) => {
    const kept = { pressed: null, held: false };
    // Upstream presses, looks at once, and clicks by script where it sees no change yet. On a control
    // that has got the press that would only take back what the page is slow to show.
    const saw = (event) => {
      const path = event.composedPath();
      if (event.isTrusted) {
        kept.pressed = path.find((node) => node.nodeType === 1 && node.matches(CHECKABLE)) || path[0];
      } else if (kept.pressed && path[0] === kept.pressed && !kept.held) {
        kept.held = true;
        event.preventDefault();
        event.stopImmediatePropagation();
      }
    };
    const undo = [];
    for (const view of viewsOf(readableRoots())) listenTo(undo, view, "click", saw, true);
    kept.undo = () => {
      for (const step of undo.splice(0)) step();
    };
    return kept;
  },
  after: async (ask, kept) => {
    const { pressed, held, undo } = kept || {};
    if (undo) undo();
    const find = () => {
      const standing = pressed && pressed.isConnected ? pressed : null;
      return checkableOf((ask.aim && resolveTarget(ask.aim)) || standing);
    };
    const control = find();
    // It was pressed and replaced: what it was when it went is what the page has taken up.
    const gone = pressed && !pressed.isConnected ? checkableOf(pressed) : null;
    if (!control && gone) return { pressed: isChecked(gone), checked: isChecked(gone) };
    if (!control) {
      const meant = ask.aim && resolveTarget(ask.aim);
      return meant && !meant.shadowRoot ? { kind: "other", failed: true } : undefined;
    }
    const read = () => {
      const now = control.isConnected ? control : find();
      return now ? isChecked(now) : ask.wanted;
    };
    const disabled = Boolean(control.disabled || control.getAttribute("aria-disabled") === "true");
    const pressedMs = held ? PRESSED_MS : CHECKED_MS;
    const ms = disabled ? 0 : pressedMs;
    const checked = await whenChecked(read, ask.wanted, ms);
    return { checked, disabled, ms, failed: checked !== ask.wanted };
  },
};
