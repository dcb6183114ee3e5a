// What a command does to the frames of the page: a link, a form or a script may lead one elsewhere,
// and the observers of its old document see nothing of that.
const watchFrames = (state, undo, roots) => {
  const frames = roots.flatMap((root) => [...root.querySelectorAll("iframe,frame")]).slice(0, 100);
  state.frames = new Map(frames.map((frame) => [frame, innerDocument(frame)]));
  if (!frames.length) return;
  // Of a frame that cannot be read this is all there is to see.
  const loaded = (event) => {
    if (state.frames.has(event.target)) state.notice();
  };
  const asked = (event) => {
    if (!state.acted || event.destination.sameDocument) return;
    if (event.downloadRequest === null) state.asked = event;
    else state.download = true;
    if (state.onChange) state.onChange();
  };
  for (const root of roots) listenTo(undo, root, "load", loaded, true);
  for (const view of viewsOf(roots)) {
    if (view !== window && view.navigation) listenTo(undo, view.navigation, "navigate", asked);
  }
};
const viewsOf = (roots) => roots.filter((root) => root.nodeType === 9).map((root) => root.defaultView || window);
const haveFramesMoved = (state) =>
  [...(state.frames || [])].some(([frame, inner]) => innerDocument(frame) !== inner);
// A frame was sent to another page, which has not come.
const isFrameAsked = (state) =>
  Boolean(state.asked && !state.asked.defaultPrevented && !haveFramesMoved(state));
