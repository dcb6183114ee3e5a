// The package itself: small, loadable, quick.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { findProgram } from "../src/door.ts";
import { textOf } from "./support/model.ts";
import { Session } from "./support/session.ts";
import { startup } from "./support/startup.ts";
import { finished, PACKAGE, ROOT, World } from "./support/world.ts";

// PI-01
test("the extension stays thin and is loaded from the manifest alone", () => {
  const manifest = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  assert.deepEqual(manifest.pi, { extensions: ["./src/index.ts"] });
  assert.ok(!readdirSync(ROOT).includes(".pi"), "a second source would register the tool twice");
  const written = readdirSync(join(PACKAGE, "src")).filter((name) => name !== "protocol.ts");
  const lines = written.map((name) => readFileSync(join(PACKAGE, "src", name), "utf8").split("\n").length);
  assert.ok(lines.reduce((sum, count) => sum + count) < 400, `${lines}`);
});

// PI-03
test("the agent's tool is the interface: the package adds no commands", async (t) => {
  const world = await World.create(t);
  const pi = new Session(world, "commands");
  const { commands } = await pi.ask({ type: "get_commands" });
  const paths: string[] = commands.map((command: { sourceInfo: { path: string } }) => command.sourceInfo.path);
  assert.ok(paths.some((path) => path.endsWith("control.ts")), "commands of extensions are listed");
  assert.ok(!paths.some((path) => path.startsWith(join(PACKAGE, "src"))), `${paths}`);
  await pi.quit();
});

// PI-06
test("the prompt says where the package's documents are", async (t) => {
  const world = await World.create(t);
  const copy = world.path("package");
  cpSync(PACKAGE, copy, { recursive: true });
  const names = ["docs/COMMAND_REFERENCE.md", "docs/TOOL_CONTRACT.md", "docs/ELECTRON.md", "README.md"];
  mkdirSync(join(copy, "docs"), { recursive: true });
  for (const name of names) writeFileSync(join(copy, name), "text");
  await finished(world.spawn(["-p", "--no-session", "-ne", "-e", copy, "hello"]));
  const prompt = textOf(world.model.seen[0]?.messages[0]);
  assert.ok(prompt.includes(`agent_browser documents in ${copy}/: README.md, docs/COMMAND_REFERENCE.md, docs/TOOL_CONTRACT.md, docs/ELECTRON.md`), prompt);
});

test("an explicit program comes first, PATH last", () => {
  assert.equal(findProgram({ AGENT_BROWSER_NATIVE_PATH: "/some/where" }).program, "/some/where");
  assert.match(findProgram({}).program, /agent-browser-native$/);
});

// The budget of 40 ms is for a quiet machine and the release build: cargo xtask bench --pi.
test("pi starts about as fast as without the package", async (t) => {
  const world = await World.create(t);
  const { plain, added } = await startup(world, 5);
  t.diagnostic(`${plain.toFixed(0)} ms without, ${added.toFixed(0)} ms added`);
  assert.ok(added < Math.max(300, plain / 2), `${added} ms`);
});
