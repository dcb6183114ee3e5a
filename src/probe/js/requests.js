// Requests that the page begins behind the command's own event, until they are answered. Those that
// began before do not count, nor those that only report (keepalive).
const PATIENT_MS = 2000;
const SOCKET = "SOCKET";
const SOCKET_MS = 400;
const watchRequests = (state, undo) => {
  const open = new Set();
  state.requests = { open, endedAt: 0 };
  const note = (method, address, keepalive) => {
    if (!state.acted || keepalive) return null;
    const url = new URL(address, document.baseURI);
    const place = url.origin + url.pathname;
    // An address that has kept its callers waiting before is asked for news, not for an answer.
    const patient = performance.getEntriesByType("resource").some(
      (entry) => entry.duration >= PATIENT_MS && entry.name.split(/[?#]/)[0] === place,
    );
    const told = method !== SOCKET;
    const request = { method: String(method || "GET").toUpperCase(), path: url.pathname, patient, told };
    open.add(request);
    const drop = () => open.delete(request) && state.onChange && state.onChange();
    const ended = () => {
      if (open.has(request)) state.requests.endedAt = performance.now();
      drop();
    };
    return { ended, drop };
  };
  const quietly = (what) => {
    try {
      return what();
    } catch {
      return undefined;
    }
  };
  const opened = new WeakMap();
  wrap(undo, window, "fetch", (call, self, [input, init]) => {
    const noted = quietly(() => {
      const asked = input instanceof Request ? input : { url: String(input) };
      const { method, keepalive } = { method: asked.method, keepalive: asked.keepalive, ...init };
      return note(method, asked.url, keepalive);
    });
    const answer = call();
    // A second reader beside the page would hide a failure that it leaves alone.
    return (noted && quietly(() => answer.finally(noted.ended))) || answer;
  });
  const [asks, sockets] = [window.XMLHttpRequest, window.WebSocket].map((one) => one && one.prototype);
  wrap(undo, asks, "open", (call, self, args) => {
    opened.set(self, args);
    return call();
  });
  wrap(undo, asks, "send", (call, self) => {
    const [method, address, later] = opened.get(self) || [];
    if (address !== undefined && later !== false) {
      const noted = quietly(() => note(method, String(address)));
      if (noted) self.addEventListener("loadend", noted.ended, { once: true });
    }
    return call();
  });
  // The next message is taken for the answer, where it comes soon: nobody can tell that one is due.
  wrap(undo, sockets, "send", (call, self) => {
    const noted = quietly(() => note(SOCKET, self.url));
    if (noted) {
      self.addEventListener("message", noted.ended, { once: true });
      setTimeout(noted.drop, SOCKET_MS);
    }
    return call();
  });
};
