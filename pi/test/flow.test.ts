// A whole piece of work in the real pi, against a scripted model and a real browser.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { textOf as messageText } from "./support/model.ts";
import { textOf } from "./support/session.ts";
import { until, World } from "./support/world.ts";

const browser = (...args: string[]) => ({ calls: [{ name: "agent_browser", arguments: { args } }] });

// PI-01, PI-38, SES-30, DEC-109
test("print mode: open, fill, click, read, screenshot; afterwards nothing is left", async (t) => {
  const world = await World.create(t);
  world.model.script(
    browser("open", world.url("form")),
    browser("fill", "#name", "Ada"),
    browser("click", "#save"),
    browser("get", "text", "p"),
    browser("screenshot", "shot.png"),
    { text: "all done" },
  );
  const run = await world.print("save the form", "--session-id", "flow");
  assert.deepEqual([run.code, run.stdout.trim()], [0, "all done"], run.stderr);
  const results = world.results("flow");
  assert.equal(results.filter((result) => result.isError).length, 0);
  const [opened, filled, clicked, read, shot] = results.map(textOf);
  assert.match(opened ?? "", /^Opened "form" http:/);
  assert.match(filled ?? "", /value verified/);
  assert.match(clicked ?? "", /^Clicked "#save"/);
  assert.equal(read, "Stored Ada");
  assert.match(shot ?? "", /shot\.png/);
  assert.ok(existsSync(world.path("work/shot.png")), "relative paths belong to pi's directory");
  await until("nothing of the program is left", () => world.processes().length === 0);
});

// PI-37
test("a screenshot reaches the model as an image", async (t) => {
  const world = await World.create(t);
  world.model.script(browser("open", world.url("form")), browser("screenshot", "shot.png"));
  await world.print("look", "--session-id", "image");
  assert.deepEqual(world.results("image").map((result) => result.content.map((part) => part.type)), [["text"], ["text", "image"]]);
  assert.match(messageText(world.model.seen.at(-1)?.messages.at(-1)), /\[image_url\]/);
});

// PI-31, PI-32, PI-39, RES-21, RES-22
test("a failure is an error for pi, keeps its details, and says so to the model", async (t) => {
  const world = await World.create(t);
  const qa = { qa: { url: world.url("form"), expectedText: ["never there"] } };
  world.model.script(
    browser("open", world.url("form")),
    browser("click", "#nope"),
    { calls: [{ name: "agent_browser", arguments: qa }] },
  );
  await world.print("try", "--session-id", "fail");
  const [opened, clicked, checked] = world.results("fail");
  assert.equal(opened?.isError, false);
  assert.deepEqual([clicked?.isError, clicked?.details.failureCategory], [true, "selector-not-found"]);
  assert.deepEqual([checked?.isError, checked?.details.failureCategory], [true, "qa-failure"]);
  assert.ok(Array.isArray(clicked?.details.facts), "what a resume needs is kept");
  const read = world.model.seen.at(-1)?.messages.filter((message) => message.role === "tool").map(messageText) ?? [];
  assert.match(read[1] ?? "", /^Failed \(selector-not-found, Pi tool isError: true\): nothing was clicked/);
  assert.match(read[2] ?? "", /^Failed \(qa-failure, Pi tool isError: true\): /);
});

// SES-01
test("calls of one message run side by side and their results stand in order", async (t) => {
  const world = await World.create(t);
  const named = (name: string) => ({ name: "agent_browser", arguments: { args: ["--session", name, "open", world.url(name)] } });
  const title = (name: string) => ({ name: "agent_browser", arguments: { args: ["--session", name, "get", "title"] } });
  world.model.script(
    { calls: [named("one"), named("two")] },
    { calls: [title("two"), title("one"), { name: "agent_browser", arguments: { args: ["open", world.url("three")] } }] },
    browser("get", "title"),
  );
  await world.print("go", "--session-id", "parallel");
  const texts = world.results("parallel").map(textOf);
  assert.match(texts[0] ?? "", /^Opened "one"/);
  assert.match(texts[1] ?? "", /^Opened "two"/);
  assert.deepEqual([texts[2], texts[3], texts[5]], ["two", "one", "three"]);
});
