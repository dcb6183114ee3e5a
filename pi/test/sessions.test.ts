// Who keeps the browser, and what a session knows again: reload, resume, branches, forks.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Session, textOf } from "./support/session.ts";
import { type Result, until, World } from "./support/world.ts";

/** The ref of a control in a result that lists them. */
function refOf(result: Result | undefined, control: string): string {
  const line = textOf(result).split("\n").find((line) => line.includes(control));
  const ref = /ref=(e\d+)/.exec(line ?? "")?.[1];
  assert.ok(ref, `${control} in ${textOf(result)}`);
  return `@${ref}`;
}

/** What a result says and knows, without times and what belongs to one process. */
function known(result: Result | undefined) {
  const { sessionName, failureCategory, nextActions, artifactManifest } = result?.details ?? {};
  return { text: textOf(result), sessionName, failureCategory, nextActions, artifactManifest };
}

// PI-19, PI-30, SES-31, DEC-106, DOC-20
test("reload, configured once for plain pi: the browser stays and refs still hold", async (t) => {
  const world = await World.create(t);
  world.configure();
  world.wrap(world.tap);
  const pi = new Session(world, "reload", { configured: true });
  const opened = await pi.call("open", world.url("form"));
  const [browser] = world.browsers();
  await pi.control("/test-reload");
  assert.deepEqual(world.browsers(), [browser]);
  const clicked = await pi.call("click", refOf(opened, 'button "Save"'));
  assert.match(textOf(clicked), /^Clicked @e\d+ button "Save"\. Page changed/);
  assert.equal(clicked.details.sessionName, opened.details.sessionName);
  assert.equal((await pi.quit()).code, 0);
  await until("the browser is gone", () => world.processes().length === 0);
  const reasons = world.said().filter((message) => message.method === "session/shutdown");
  assert.deepEqual(reasons.map((message) => message.params.reason), ["reload", "quit"]);
});

// PI-34, SES-35
test("what the session file restores equals what was known live", async (t) => {
  const world = await World.create(t);
  const pi = new Session(world, "equal");
  const first = await pi.call("open", world.url("form"));
  await pi.call("screenshot", "a.png");
  await pi.call("open", world.url("long"));
  const listed = await pi.call("snapshot", "-i");
  const probes = [["click", "@e99"], ["get", "url"], ["snapshot", "-i"], ["click", refOf(first, 'button "Save"')]];
  const ask = async () => {
    const answers = [];
    for (const probe of probes) answers.push(known(await pi.call(...probe)));
    return answers;
  };
  assert.match(textOf(listed), /Row 29/);
  const live = await ask();
  await pi.control("/test-reload");
  assert.deepEqual(await ask(), live);
  await pi.quit();
});

// SES-26, SES-31, SES-35, PI-30
test("another branch: the session knows what that branch knows", async (t) => {
  const world = await World.create(t);
  const pi = new Session(world, "branch");
  const leaf = async () => (await pi.ask({ type: "get_entries" })).entries.at(-1).id;
  await pi.turn();
  const root = await leaf();
  const opened = await pi.call("open", world.url("form"));
  const first = await leaf();
  await pi.control(`/test-tree ${root}`);
  const refused = await pi.call("click", refOf(opened, 'button "Save"'));
  assert.equal(refused.isError, true, "this branch has seen no page");
  const other = await pi.call("open", world.url("long"));
  assert.notEqual(other.details.sessionName, opened.details.sessionName);
  assert.equal(world.browsers().length, 2);
  await pi.control(`/test-tree ${first}`);
  const clicked = await pi.call("click", refOf(opened, 'button "Save"'));
  assert.match(textOf(clicked), /^Clicked @e\d+ button "Save"\. Page changed/);
  assert.equal(clicked.details.sessionName, opened.details.sessionName);
  // The other branch's browser is still owned, and goes with the program.
  assert.equal(world.browsers().length, 2);
  await pi.quit();
  await until("both are gone", () => world.browsers().length === 0);
});

// SES-02, SES-35, PI-19, DOC-20
test("an exact session id again: same browser name, no ref of a browser that is gone", async (t) => {
  const world = await World.create(t);
  world.configure();
  const before = new Session(world, "again", { configured: true });
  const opened = await before.call("open", world.url("form"));
  await before.quit();
  await until("quit closes the browser", () => world.browsers().length === 0);
  const after = new Session(world, "again", { configured: true });
  const refused = await after.call("click", refOf(opened, 'button "Save"'));
  assert.equal(refused.isError, true);
  assert.match(textOf(refused), /nothing was clicked/);
  const reopened = await after.call("open", world.url("form"));
  assert.match(textOf(reopened), /^Opened "form"/);
  assert.match(String(reopened.details.sessionName), /^pi-/);
  await after.quit();
});

// SES-31, DEC-106
test("a fork goes on with the browser; a new session starts without one", async (t) => {
  const world = await World.create(t);
  const pi = new Session(world, "fork");
  const opened = await pi.call("open", world.url("form"));
  await pi.ask({ type: "clone" });
  const title = await pi.call("get", "title");
  assert.deepEqual([textOf(title), title.details.sessionName], ["form", opened.details.sessionName]);
  await pi.ask({ type: "new_session" });
  const refused = await pi.call("click", refOf(opened, 'button "Save"'));
  assert.equal(refused.isError, true);
  const other = await pi.call("open", world.url("long"));
  assert.notEqual(other.details.sessionName, opened.details.sessionName);
  await pi.quit();
});

// SES-02, SES-30
test("two pi in one directory have a browser each and end only their own", async (t) => {
  const world = await World.create(t);
  const [one, two] = [new Session(world, "one"), new Session(world, "two")];
  const first = await one.call("open", world.url("form"));
  const second = await two.call("open", world.url("long"));
  assert.notEqual(first.details.sessionName, second.details.sessionName);
  assert.equal(textOf(await one.call("get", "title")), "form");
  assert.equal(world.browsers().length, 2);
  await one.quit();
  await until("one browser is left", () => world.browsers().length === 1);
  assert.equal(textOf(await two.call("get", "title")), "long");
  await two.quit();
  await until("none is left", () => world.processes().length === 0);
});

// SES-30, DEC-106
for (const signal of ["SIGTERM", "SIGHUP", "SIGKILL"] as const) {
  test(`pi ended by ${signal} during a call leaves nothing`, async (t) => {
    const world = await World.create(t);
    const pi = new Session(world, "killed");
    await pi.call("open", world.url("form"));
    pi.begin("wait", [{ name: "agent_browser", arguments: { args: ["wait", "20000"] } }]);
    await pi.event((event) => event.type === "tool_execution_start" && event.args.args[0] === "wait");
    await pi.kill(signal);
    await until("nothing is left", () => world.processes().length === 0, 15_000);
  });
}
