// A bridge for tools that speak streamable HTTP only: every HTTP session is a process of its own.
//
// node stdio_to_http.mjs PROGRAM [ARG…]; prints its address, ends when its input is closed.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createInterface } from "node:readline";

const [program, ...args] = process.argv.slice(2);
const sessions = new Map();

// A running program, and who waits for which answer.
function startSession() {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "ignore"] });
  const session = { id: randomUUID(), child, waiting: new Map(), listeners: new Set() };
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    const waiting = message.method === undefined ? session.waiting.get(message.id) : undefined;
    session.waiting.delete(message.id);
    if (waiting) waiting(message);
    else for (const listener of session.listeners) listener(message);
  });
  child.on("exit", () => sessions.delete(session.id));
  sessions.set(session.id, session);
  return session;
}

function answer(response, status, body, headers = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

// Only pages of this machine may use the bridge.
function isLocal({ headers: { host = "", origin } }) {
  const addresses = [`http://${host}`, ...(origin ? [origin] : [])];
  const local = ["127.0.0.1", "localhost"];
  return addresses.every((it) => URL.canParse(it) && local.includes(new URL(it).hostname));
}

// Requests are answered as events, so that notifications can come before the answer.
function forward(session, message, response) {
  response.writeHead(200, { "content-type": "text/event-stream", "mcp-session-id": session.id });
  const send = (event) => response.write(`event: message\ndata: ${JSON.stringify(event)}\n\n`);
  session.listeners.add(send);
  session.waiting.set(message.id, (event) => {
    session.listeners.delete(send);
    send(event);
    response.end();
  });
  session.child.stdin.write(`${JSON.stringify(message)}\n`);
}

async function handle(request, response) {
  if (!isLocal(request)) return answer(response, 403, { error: "not a local host" });
  const known = sessions.get(request.headers["mcp-session-id"]);
  if (request.method === "DELETE" && known) {
    known.child.stdin.end();
    return answer(response, 200);
  }
  if (request.method !== "POST") return answer(response, 405);
  let text = "";
  for await (const part of request) text += part;
  const message = JSON.parse(text);
  const session = known ?? (message.method === "initialize" ? startSession() : undefined);
  if (!session) return answer(response, 404, { error: "unknown session" });
  if (message.id !== undefined && message.method) return forward(session, message, response);
  session.child.stdin.write(`${JSON.stringify(message)}\n`);
  return answer(response, 202);
}

const server = createServer((request, response) => {
  handle(request, response).catch((error) => answer(response, 400, { error: String(error) }));
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`);
});
process.stdin.on("end", () => {
  for (const { child } of sessions.values()) child.stdin.end();
  process.exit(0);
});
process.stdin.resume();
