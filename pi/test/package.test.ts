// The package itself: small, loadable, quick.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { findProgram } from "../src/door.ts";
import { startup } from "./support/startup.ts";
import { PACKAGE, ROOT, World } from "./support/world.ts";

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
test("the agent's tool is the interface: no commands, no shortcuts, no flags", () => {
  const code = readFileSync(join(PACKAGE, "src/index.ts"), "utf8");
  assert.doesNotMatch(code, /register(Command|Shortcut|Flag)/);
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
