// Messages to a stand-in of the program: bounded, and nobody waits for an answer that cannot come.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Door, PATH_VARIABLE, Refused } from "../src/door.ts";
import extension from "../src/index.ts";

/** A program that answers every line with what `answer` makes of the message, or not at all. */
function program(t: TestContext, answer: string): string {
  const dir = mkdtempSync(join(tmpdir(), "abn-door-"));
  t.after(() => rmSync(dir, { recursive: true }));
  const script = `#!${process.execPath}
const { writeFileSync } = require("node:fs");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  const reply = ((message) => { ${answer} })(message);
  if (reply) console.log(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...reply }));
});`;
  const path = join(dir, "program.cjs");
  writeFileSync(path, script, { mode: 0o755 });
  return path;
}

function started(t: TestContext, answer: string): Door {
  const door = new Door();
  door.start({ program: program(t, answer), env: process.env });
  t.after(() => door.end("quit"));
  return door;
}

// DEC-109
test("an error without an id is everybody's who waits", async (t) => {
  const door = started(t, 'return message.method === "prompt" && { id: null, error: { code: -32700, message: "too long" } };');
  const unread = (error: Error) => !(error instanceof Refused) && error.message === "too long";
  const check = assert.rejects(door.ask("bash/check", { command: "ls" }), unread);
  await assert.rejects(door.ask("prompt", { text: "x" }), unread);
  await check;
  assert.ok(door.running);
});

// DEC-109
test("who is late with an aside is not ended, who is stuck is", async (t) => {
  const door = started(t, 'return message.params.command === "quick" && { result: {} };');
  const late = door.ask("bash/check", { command: "slow" }, { limit: 20, aside: true });
  await assert.rejects(late, /did not answer within 0\.02 s$/);
  await door.ask("bash/check", { command: "quick" });
  await assert.rejects(door.ask("bash/check", { command: "slow" }, { limit: 20 }), /within 0\.02 s and was ended$/);
});

// DEC-109
test("of a long branch the newest facts go along, in their order", async (t) => {
  const seen = join(mkdtempSync(join(tmpdir(), "abn-facts-")), "facts");
  const path = program(
    t,
    `if (message.method === "initialize") writeFileSync(${JSON.stringify(seen)}, message.params.facts.map((entry) => entry.facts[0].name).join());
     return { result: { tools: [], guidelines: [], version: "0" } };`,
  );
  const before = process.env[PATH_VARIABLE];
  process.env[PATH_VARIABLE] = path;
  t.after(() => {
    if (before === undefined) delete process.env[PATH_VARIABLE];
    else process.env[PATH_VARIABLE] = before;
    rmSync(join(seen, ".."), { recursive: true });
  });
  const handlers = new Map<string, (event: object, ctx: object) => Promise<unknown>>();
  const pi = { on: (name: string, handler: never) => handlers.set(name, handler), registerTool: () => {} };
  extension(pi as unknown as ExtensionAPI);
  const result = (name: string) => ({
    type: "message",
    message: {
      role: "toolResult",
      toolName: "agent_browser",
      details: { facts: [{ name, text: "x".repeat(2.5 * 1024 * 1024) }] },
    },
  });
  const ctx = {
    mode: "rpc",
    cwd: tmpdir(),
    isProjectTrusted: () => false,
    sessionManager: { getSessionId: () => "s", getBranch: () => ["a", "b", "c", "d", "e"].map(result) },
  };
  t.after(() => handlers.get("session_shutdown")?.({ reason: "quit" }, ctx));
  await handlers.get("session_start")?.({}, ctx);
  assert.equal(readFileSync(seen, "utf8"), "c,d,e");
});
