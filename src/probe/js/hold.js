// Until the command's own event has arrived the page may not leave by itself: the event would land on
// the next page. What the page wanted is done right behind it.
const HOLD_MS = 1000;
const SETTLED_MS = 80;
const holdPage = (state, undo) => {
  if (!window.navigation) return;
  let wanted = null;
  const hold = (event) => {
    const byItself = event.cancelable && !event.userInitiated && !event.hashChange &&
      !event.formData && event.downloadRequest === null && !event.destination.sameDocument &&
      event.navigationType !== "traverse";
    if (!byItself || state.arrived) return;
    wanted = { url: event.destination.url, type: event.navigationType };
    event.preventDefault();
  };
  const release = () => {
    const go = wanted;
    wanted = null;
    state.arrived = true;
    if (!go) return;
    if (go.type === "reload") location.reload();
    else if (go.type === "replace") location.replace(go.url);
    else location.assign(go.url);
  };
  let timer = setTimeout(release, HOLD_MS);
  state.arrive = (type) => {
    state.arrived = true;
    clearTimeout(timer);
    timer = setTimeout(release, type === "click" ? 0 : SETTLED_MS);
  };
  listenTo(undo, window.navigation, "navigate", hold);
  undo.push(() => clearTimeout(timer));
  undo.push(release);
};
