// What the prompt and the shell are watched for, what stands in the prompt, and what the program is told.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { textOf as messageText } from "./support/model.ts";
import { Session, textOf } from "./support/session.ts";
import { World } from "./support/world.ts";

const browser = (...args: string[]) => ({ name: "agent_browser", arguments: { args } });
const bash = (command: string) => ({ name: "bash", arguments: { command } });

// DEC-82, GUARD-04
test("close waits for the file that the prompt has asked for", async (t) => {
  const world = await World.create(t);
  const pi = new Session(world, "prompt");
  const results = await pi.prompt(
    "Open the form, take a screenshot and save it as shots/form.png, then close the browser.",
    [browser("open", world.url("form"))],
    [browser("close")],
    [browser("screenshot", "shots/form.png")],
    [browser("close")],
  );
  assert.deepEqual(results.map((result) => result.isError), [false, true, false, false], results.map(textOf).join("\n"));
  assert.match(textOf(results[1]), /shots\/form\.png/);
  // The next prompt asks for nothing.
  const later = await pi.prompt("Once more.", [browser("open", world.url("form"))], [browser("close")]);
  assert.deepEqual(later.map((result) => result.isError), [false, false]);
  await pi.quit();
});

// DEC-82
test("the prompt is still known when the program was started again", async (t) => {
  const world = await World.create(t);
  const pi = new Session(world, "again");
  await pi.prompt("Take a screenshot and save it as a.png.", [browser("open", world.url("form"))]);
  const from = pi.events.length;
  pi.begin("Take a screenshot and save it as a.png.", [browser("wait", "20000")], [browser("close")]);
  await pi.event((event) => event.type === "tool_execution_start", from);
  process.kill(world.doors()[0] ?? 0, "SIGKILL");
  await pi.event((event) => event.type === "agent_settled", from);
  const [lost, close] = pi.results(from);
  assert.match(textOf(lost), /before the call was answered/);
  assert.deepEqual([close?.isError, /a\.png/.test(textOf(close))], [true, true], textOf(close));
  await pi.quit();
});

// DEC-83, PI-16
test("agent-browser in a shell is pointed to the tool; other commands run", async (t) => {
  const world = await World.create(t);
  const pi = new Session(world, "bash");
  const [blocked, asked, other] = await pi.prompt(
    "go",
    [bash(`npx agent-browser open ${world.url("form")}`)],
    [bash("which agent-browser || echo none")],
    [bash("echo agent-browser")],
  );
  assert.equal(blocked?.isError, true);
  assert.ok(textOf(blocked).includes(`{"args":["open","${world.url("form")}"]}`), textOf(blocked));
  assert.equal(asked?.isError, false, textOf(asked));
  assert.match(textOf(other), /^agent-browser/);
  await pi.quit();
  world.env.PI_AGENT_BROWSER_ALLOW_DIRECT_BASH = "1";
  const free = new Session(world, "free");
  const [ran] = await free.prompt("go", [bash("agent-browser() { echo ran; }; agent-browser")]);
  assert.match(textOf(ran), /^ran/);
  await free.quit();
});

// PI-02, PI-04
test("what stands in every prompt is small and starts with what the tool is for", async (t) => {
  const world = await World.create(t);
  await world.print("hello", "--session-id", "cost");
  const request = world.model.seen[0];
  const tools = request?.tools?.filter((tool) => tool.function.name.startsWith("agent_browser")) ?? [];
  assert.deepEqual(tools.map((tool) => tool.function.name), ["agent_browser"]);
  const { description, parameters } = tools[0]?.function ?? { description: "", parameters: {} };
  const prompt = messageText(request?.messages[0]);
  // Without its line in pi's list of tools.
  const guidance = prompt.split("\n").filter((line) => /^- agent_browser/.test(line) && !line.includes("agent_browser: Drive"));
  assert.match(description, /^Drive a real browser: web research, live docs, clicking/);
  assert.ok(guidance.some((line) => line.includes("stop before orders")), prompt);
  const bytes = [description, JSON.stringify(parameters), guidance.map((line) => line.slice(2)).join("\n")].map((part) => Buffer.byteLength(part));
  t.diagnostic(`description ${bytes[0]}, schema ${bytes[1]}, guidelines ${bytes[2]} bytes`);
  assert.ok(bytes.reduce((sum, part) => sum + part) <= 6_000, `${bytes} bytes`);
});

// PI-52
test("the program is told whether pi trusts the directory, with the session and not before", async (t) => {
  const world = await World.create(t);
  mkdirSync(world.path("work/.pi/config/pi-agent-browser-native"), { recursive: true });
  writeFileSync(world.path("work/.pi/settings.json"), "{}");
  const config = { webSearch: { exaApiKey: "project-k3y" } };
  writeFileSync(world.path("work/.pi/config/pi-agent-browser-native/config.json"), JSON.stringify(config));
  world.wrap(world.tap);
  for (const flag of ["--approve", "--no-approve"]) await world.print("hello", flag, "--session-id", flag.slice(2));
  const hellos = world.said().filter((message) => message.method === "initialize");
  assert.deepEqual(hellos.map(({ params }) => [params.sessionId, params.trusted]), [["approve", true], ["no-approve", false]]);
  // The directory's own settings make the companion tool only where they are believed.
  const offered = world.model.seen.map(({ tools }) => (tools ?? []).map((tool) => tool.function.name).filter((name) => name.startsWith("agent_browser")));
  assert.deepEqual(offered, [["agent_browser", "agent_browser_web_search"], ["agent_browser"]]);
});
