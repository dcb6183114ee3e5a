// The packages as a user gets them: from tarballs, with install scripts off, in an empty home.
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ROOT, TOOLS } from "../../pi/test/support/world.ts";

const BROWSER_ARGS = "--disable-background-networking,--disable-component-update,--disable-sync,--no-first-run";
const { version } = JSON.parse(readFileSync(join(ROOT, "npm/package.json"), "utf8"));
const platform = `${process.platform}-${process.arch}`;
const root = mkdtempSync("/tmp/abnn-");
const env: Record<string, string> = {
  PATH: process.env.PATH ?? "",
  HOME: join(root, "home"),
  TMPDIR: join(root, "temp"),
  PI_AGENT_BROWSER_SOCKET_DIR: join(root, "s"),
  AGENT_BROWSER_ARGS: BROWSER_ARGS,
};
const wrapper = join(root, "app/node_modules/.bin/agent-browser-native");
let installed = 0;

before(() => {
  for (const name of ["home", "temp", "s", "app"]) mkdirSync(join(root, name), { mode: 0o700 });
  const tarball = (name: string) => join(ROOT, `target/npm/${name}-${version}.tgz`);
  const names = ["agent-browser-native", `agent-browser-native-${platform}`, "agent-browser-native-pi"];
  // The registry's part is at hand too: nothing is fetched.
  const upstream = join(TOOLS, "node_modules/agent-browser");
  const flags = ["--ignore-scripts", "--offline", "--no-audit", "--no-fund", "--legacy-peer-deps"];
  const words = ["install", "--prefix", join(root, "app"), ...flags, ...names.map(tarball), upstream];
  const began = Date.now();
  execFileSync("npm", words, { env, cwd: join(root, "app"), stdio: ["ignore", "ignore", "pipe"] });
  installed = Date.now() - began;
});

after(() => {
  for (const pid of ours()) process.kill(pid, "SIGKILL");
  rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});

/** Processes that carry this test's directory in their environment. */
function ours(): number[] {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "utf8").includes(root) && readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
    } catch {
      return false;
    }
  });
}

async function until(what: string, holds: () => boolean): Promise<void> {
  const end = Date.now() + 15_000;
  while (!holds()) {
    assert.ok(Date.now() < end, `not in time: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

function start(...args: string[]): ChildProcess {
  return spawn(wrapper, args, { env, cwd: join(root, "app"), stdio: ["pipe", "pipe", "pipe"] });
}

const exit = (child: ChildProcess) => new Promise<[number | null, string | null]>((done) => child.on("exit", (code, signal) => done([code, signal])));

class Mcp {
  readonly child = start("mcp");
  readonly exit = exit(this.child);
  #answers = new Map<number, (result: any) => void>();
  #last = 0;

  constructor() {
    let rest = "";
    this.child.stderr?.resume();
    this.child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const message = JSON.parse(line);
        this.#answers.get(message.id)?.(message.result ?? message);
      }
    });
  }

  ask(method: string, params: object): Promise<any> {
    const id = ++this.#last;
    this.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return new Promise((done) => this.#answers.set(id, done));
  }

  async hello(): Promise<void> {
    const clientInfo = { name: "test", version: "0" };
    await this.ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    this.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  }

  async call(...args: string[]): Promise<string> {
    const { content } = await this.ask("tools/call", { name: "agent_browser", arguments: { args } });
    return content[0].text;
  }
}

test("from one config line to the first page within a minute, and nothing left behind", async (t) => {
  const pages = createServer((_request, response) => response.setHeader("content-type", "text/html").end("<title>first</title>"));
  await new Promise<void>((done) => pages.listen(0, "127.0.0.1", done));
  t.after(() => pages.close());
  const began = Date.now();
  const mcp = new Mcp();
  await mcp.hello();
  const text = await mcp.call("open", `http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
  assert.match(text, /^Opened "first"/);
  const took = Date.now() - began;
  t.diagnostic(`installed in ${installed} ms, first answer after ${took} ms`);
  assert.ok(took < 60_000, `${took} ms`);
  mcp.child.stdin?.end(); // the end of input reaches the program
  assert.deepEqual(await mcp.exit, [0, null]);
  await until("nothing is left", () => ours().length === 0);
});

test("a signal reaches the program, and its end is the wrapper's", async () => {
  const mcp = new Mcp();
  await mcp.hello();
  assert.equal(ours().length, 2);
  mcp.child.kill("SIGTERM");
  const [code, signal] = await mcp.exit;
  assert.equal(signal, null);
  assert.ok([0, 143].includes(code ?? -1), `${code}`);
  await until("nothing is left", () => ours().length === 0);
});

test("arguments, output and exit codes pass", async () => {
  const shown = start("--version");
  let text = "";
  shown.stdout?.on("data", (chunk) => (text += chunk));
  assert.deepEqual(await exit(shown), [0, null]);
  assert.equal(text.trim(), `agent-browser-native ${version}`);
  assert.deepEqual(await exit(start("call", "not json")), [2, null]);
});

test("a platform without a program gets one clear sentence", () => {
  const { locate } = createRequire(join(root, "app/x.js"))("agent-browser-native");
  const other = process.arch === "x64" ? "arm64" : "x64";
  assert.throws(() => locate({ platform: "sunos", arch: "x64" }), /no ready program for sunos-x64, only for linux-arm64, linux-x64\. Build it from source: cargo install/);
  assert.throws(() => locate({ arch: other }), /the package agent-browser-native-linux-\w+ is missing\. Install agent-browser-native again, without --omit=optional/);
  assert.equal(locate({ env: { AGENT_BROWSER_NATIVE_UPSTREAM_PATH: "/mine" } }).env.AGENT_BROWSER_NATIVE_UPSTREAM_PATH, "/mine");
});

test("the agent-browser that comes along is the tested one, and the one in use", async () => {
  const doctor = start("doctor", "--json");
  let text = "";
  doctor.stdout?.on("data", (chunk) => (text += chunk));
  await exit(doctor);
  const { upstream } = JSON.parse(text);
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, "npm/package.json"), "utf8"));
  assert.deepEqual([upstream.source, upstream.version, upstream.testedVersion], ["environment", dependencies["agent-browser"], dependencies["agent-browser"]]);
});

// DOC-21
test("packages carry manifest, code, documents and license, and nothing else", () => {
  const files = (name: string) => readdirSync(join(root, "app/node_modules", name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).split(`node_modules/${name}/`)[1]).sort();
  assert.deepEqual(files("agent-browser-native"), ["LICENSE", "README.md", "bin/agent-browser-native.cjs", "index.cjs", "package.json"]);
  assert.deepEqual(files(`agent-browser-native-${platform}`), ["LICENSE", "bin/agent-browser-native", "package.json"]);
  const sources = readdirSync(join(ROOT, "pi/src")).map((name) => `src/${name}`).sort();
  const documents = ["docs/COMMAND_REFERENCE.md", "docs/ELECTRON.md", "docs/TOOL_CONTRACT.md"];
  assert.deepEqual(files("agent-browser-native-pi"), ["LICENSE", "README.md", ...documents, "package.json", ...sources]);
  assert.ok(!readdirSync(ROOT).includes(".pi"), "a checkout must not load the extension by itself");
});

// PI-01
test("the pi package finds the program that npm put beside it", async () => {
  const source = join(root, "app/node_modules/agent-browser-native-pi/src/door.ts");
  const { program } = createRequire(source)("agent-browser-native").locate({ env: {} });
  assert.equal(program, join(root, `app/node_modules/agent-browser-native-${platform}/bin/agent-browser-native`));
  assert.equal(execFileSync(program, ["--version"], { encoding: "utf8" }).trim(), `agent-browser-native ${version}`);
});
