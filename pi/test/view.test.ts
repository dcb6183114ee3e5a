// What a person sees: lines without anything a terminal would obey, folded and unfolded.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { callLine, clean, resultLines } from "../src/text.ts";
import { PACKAGE, PI, until, World } from "./support/world.ts";

// PI-36
test("escapes and control characters are taken out, words stay", () => {
  const words: [string, string][] = [
    ["a\x1b[31mred\x1b[0mb", "aredb"],
    ["a\x1b]0;title\x07b", "ab"],
    ["a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\b", "alinkb"],
    ["a\x1bPq#0\x1b\\b", "ab"],
    ["a\x9b2Jb\x9d0;t\x9cc", "abc"],
    ["a\r\x08\x00\x7fb", "ab"],
    ["a\u202eb\u2066c", "abc"],
    ["line\n\ttab", "line\n\ttab"],
    ["open end \x1b[", "open end "],
    ["open end \x1b]0;never closed", "open end "],
  ];
  for (const [foreign, wanted] of words) assert.equal(clean(foreign), wanted, JSON.stringify(foreign));
});

// PI-36, PRES-TUI-01
test("a call is one line, also while it is being written", () => {
  assert.equal(callLine(undefined), "…");
  assert.equal(callLine({}), "…");
  assert.equal(callLine({ args: ["fill", "@e2", "two words"] }), 'fill @e2 "two words"');
  assert.equal(callLine({ args: ["eval", "--stdin"], stdin: "a\nb\x1b[2J" }), "eval --stdin stdin: a b");
  assert.equal(callLine({ qa: { url: "http://x/" } }), 'qa: {"url":"http://x/"}');
  assert.equal(callLine({ args: ["x".repeat(50)] }, 10), `${"x".repeat(10)}…`);
  assert.equal(callLine({ args: [1, null, undefined] }), '1 null ""');
});

// PRES-TUI-01
test("a long result is cut by lines and says how many are left", () => {
  const content = [{ type: "text", text: "1\n2\n3" }, { type: "image" }, { type: "text", text: "4" }];
  assert.deepEqual(resultLines(content, 3), { shown: ["1", "2", "3"], hidden: 1 });
  assert.deepEqual(resultLines(content), { shown: ["1", "2", "3", "4"], hidden: 0 });
  assert.deepEqual(resultLines(undefined, 3), { shown: [""], hidden: 0 });
});

// PI-35, PI-36, PRES-TUI-01, RES-28
test("in a terminal: coloured, folded, Ctrl+O unfolds, foreign escapes do not arrive", async (t) => {
  const world = await World.create(t);
  const browser = (...args: string[]) => ({ calls: [{ name: "agent_browser", arguments: { args } }] });
  const escape = "\x1b]0;owned-by-model\x07";
  world.model.script(
    browser("open", world.url("long")),
    browser("snapshot", "-i"),
    browser("open", world.url(`evil?${escape}`)),
    browser("get", "text", "body"),
  );
  const line = [process.execPath, PI, "-ne", "-e", PACKAGE, "--approve", "--session-id", "tui", "go"];
  const command = `stty rows 60 cols 120; exec ${line.join(" ")}`;
  const child = spawn("script", ["-qfec", command, "/dev/null"], { cwd: world.path("work"), env: world.env, stdio: ["pipe", "pipe", "ignore"] });
  let raw = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => (raw += chunk));
  const ended = new Promise((done) => child.on("close", done));
  await until(`the result is drawn: ${raw}`, () => raw.includes("before") && raw.includes("done"), 60_000);
  await until("the fold is named", () => /… \d+ more lines/.test(clean(raw)));
  assert.ok(raw.includes("\x1b[38;"), "coloured");
  assert.ok(!clean(raw).includes('"Row 29"'), "folded");
  child.stdin.write("\x0f");
  await until("Ctrl+O shows the rest", () => clean(raw).includes('"Row 29"'));
  for (const foreign of ["\x1b]0;owned", "\x9b", "after\x1b[2J"]) assert.ok(!raw.includes(foreign), JSON.stringify(foreign));
  // The model has read all of it.
  const read = JSON.stringify(world.model.seen.at(-1)?.messages);
  assert.ok(read.includes("Row 29") && !read.includes("more lines ("));
  child.stdin.write("\x04");
  await ended;
  await until("nothing is left", () => world.processes().length === 0);
});
