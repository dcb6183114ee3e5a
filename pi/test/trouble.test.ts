// A program that is missing, dies, or does not answer never takes pi with it.
import assert from "node:assert/strict";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { Session, textOf } from "./support/session.ts";
import { finished, PACKAGE, until, World } from "./support/world.ts";

const call = (...args: string[]) => ({ calls: [{ name: "agent_browser", arguments: { args } }] });

test("a missing program: pi starts, says so, and a call says what to install", async (t) => {
  const world = await World.create(t);
  world.env.AGENT_BROWSER_NATIVE_PATH = world.path("nowhere");
  world.model.script(call("open", world.url("form")), { text: "too bad" });
  const run = await world.print("go", "--session-id", "missing");
  assert.deepEqual([run.code, run.stdout.trim()], [0, "too bad"], run.stderr);
  assert.match(run.stderr, /nowhere could not be started .*AGENT_BROWSER_NATIVE_PATH/);
  const [result] = world.results("missing");
  assert.deepEqual([result?.isError, result?.details.failureCategory], [true, "missing-binary"]);
  assert.match(textOf(result), /^Failed \(missing-binary, Pi tool isError: true\): nothing was done\. .*cargo install --path \./);
});

test("a program that comes late is used by the next call", async (t) => {
  const world = await World.create(t);
  world.wrap(`[ -e ${world.path("here")} ] || exit 3\nexec $REAL "$@"`);
  const pi = new Session(world, "late");
  assert.match(textOf(await pi.call("get", "url")), /wrapped ended \(exit code 3\)/);
  writeFileSync(world.path("here"), "");
  assert.match(textOf(await pi.call("open", world.url("form"))), /^Opened "form"/);
  assert.ok(world.model.seen.at(-1)?.tools?.find((tool) => tool.function.name === "agent_browser")?.function.description.includes("Loop:"));
  await pi.quit();
});

for (const [name, script] of [["writes rubbish", "echo '{]'; echo 7; echo null; cat >/dev/null"], ["ends at once", "exit 0"]] as const) {
  test(`a program that ${name} does not end pi`, { timeout: 60_000 }, async (t) => {
    const world = await World.create(t);
    world.wrap(script);
    const run = await world.print("go", "--session-id", "odd");
    assert.deepEqual([run.code, run.stdout.trim()], [0, "done"], run.stderr);
  });
}

test("killed during a call: the call fails, the next one goes on with the same page", async (t) => {
  const world = await World.create(t);
  const pi = new Session(world, "crash");
  const opened = await pi.call("open", world.url("form"));
  const from = pi.events.length;
  pi.begin("wait", [{ name: "agent_browser", arguments: { args: ["wait", "20000"] } }]);
  await pi.event((event) => event.type === "tool_execution_start", from);
  const [door] = world.doors();
  assert.ok(door);
  process.kill(door, "SIGKILL");
  await pi.event((event) => event.type === "agent_settled", from);
  const [lost] = pi.results(from);
  assert.deepEqual([lost?.isError, lost?.details.failureCategory], [true, "upstream-error"]);
  assert.match(textOf(lost), /ended \(SIGKILL\) before the call was answered/);
  const title = await pi.call("get", "title");
  assert.deepEqual([textOf(title), title.details.sessionName], ["form", opened.details.sessionName]);
  assert.notDeepEqual(world.doors(), [door]);
  await pi.quit();
  await until("nothing is left", () => world.processes().length === 0);
});

test("a call that the program refuses to take says that nothing was done", async (t) => {
  const world = await World.create(t);
  const pi = new Session(world, "refused");
  await pi.turn();
  rmSync(world.path("work"), { recursive: true });
  const refused = await pi.call("get", "url");
  assert.deepEqual([refused.isError, refused.details.failureCategory], [true, "validation-error"]);
  assert.match(textOf(refused), /^Failed \(validation-error, Pi tool isError: true\): nothing was done\. .*cwd/);
  await pi.quit();
});

test("abort ends a long call at once and the session goes on", async (t) => {
  const world = await World.create(t);
  const pi = new Session(world, "abort");
  await pi.call("open", world.url("form"));
  const from = pi.events.length;
  pi.begin("wait", [{ name: "agent_browser", arguments: { args: ["wait", "30000"] } }]);
  await pi.event((event) => event.type === "tool_execution_start", from);
  const began = Date.now();
  pi.send({ type: "abort" });
  await pi.event((event) => event.type === "agent_settled", from);
  assert.ok(Date.now() - began < 4_000, `${Date.now() - began} ms`);
  const [result] = pi.results(from);
  assert.deepEqual([result?.isError, result?.details.failureCategory], [true, "aborted"]);
  assert.equal(textOf(await pi.call("get", "title")), "form");
  await pi.quit();
});

test("a long call reports that it goes on", async (t) => {
  const world = await World.create(t);
  const pi = new Session(world, "progress");
  await pi.call("open", world.url("form"));
  await pi.call("wait", "2500");
  const update = await pi.event((event) => event.type === "tool_execution_update");
  assert.match(textOf(update.partialResult), /still working/);
  await pi.quit();
});

test("without a session nothing is started", async (t) => {
  const world = await World.create(t);
  world.wrap(`touch ${world.path("started")}`);
  for (const flag of ["--help", "--list-models"]) {
    assert.equal((await finished(world.spawn(["-ne", "-e", PACKAGE, flag]))).code, 0);
  }
  assert.equal(existsSync(world.path("started")), false);
});
