// A world of its own for one test: directories, environment, pages, a scripted model, and pi.
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Model } from "./model.ts";

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
export const PACKAGE = join(ROOT, "pi");
export const TOOLS = process.env.ABN_TOOLS ?? join(ROOT, "target/tools/tests-pi-npm");
export const PROGRAM = process.env.ABN_PROGRAM ?? join(ROOT, "target/debug/agent-browser-native");
export const PI = join(TOOLS, "node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js");
/** Commands that only a test needs: reload, and going to another entry of the session. */
const CONTROL = join(PACKAGE, "test/support/control.ts");
// The browser must not talk to anybody but the pages of the test.
const BROWSER_ARGS = "--disable-background-networking,--disable-component-update,--disable-sync,--no-first-run";

/** The named upstream, else the one that the tests' lock file pins. */
function upstreamPath(): string {
  const pinned = join(TOOLS, `node_modules/agent-browser/bin/agent-browser-${process.platform}-${process.arch}`);
  if (process.env.AGENT_BROWSER_NATIVE_UPSTREAM_PATH) return process.env.AGENT_BROWSER_NATIVE_UPSTREAM_PATH;
  chmodSync(pinned, 0o755);
  return pinned;
}

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export class World {
  readonly root: string;
  readonly env: Record<string, string>;
  readonly model: Model;
  #pages: Server;

  private constructor(model: Model, pages: Server) {
    this.model = model;
    this.#pages = pages;
    this.root = mkdtempSync("/tmp/abnp-"); // short: the socket path is limited
    for (const name of ["home", "agent", "state", "temp", "s", "work"]) mkdirSync(join(this.root, name), { mode: 0o700 });
    this.env = {
      PATH: `${join(process.execPath, "..")}:${process.env.PATH}`,
      LANG: "C.UTF-8",
      TERM: "xterm-256color",
      HOME: this.path("home"),
      TMPDIR: this.path("temp"),
      PI_CODING_AGENT_DIR: this.path("agent"),
      PI_OFFLINE: "1",
      PI_TELEMETRY: "0",
      AGENT_BROWSER_ARGS: BROWSER_ARGS,
      AGENT_BROWSER_NATIVE_PATH: PROGRAM,
      AGENT_BROWSER_NATIVE_UPSTREAM_PATH: upstreamPath(),
      AGENT_BROWSER_NATIVE_STATE_DIR: this.path("state"),
      AGENT_BROWSER_NATIVE_TEMP_DIR: this.path("temp/abn"),
      PI_AGENT_BROWSER_SOCKET_DIR: this.path("s"),
    };
    const models = [{ id: "scripted", input: ["text", "image"], contextWindow: 200000, maxTokens: 8192 }];
    const fake = { baseUrl: model.address, api: "openai-completions", apiKey: "unused", models };
    const settings = { defaultProvider: "fake", defaultModel: "scripted", retry: { enabled: false }, quietStartup: true };
    writeFileSync(this.path("agent/models.json"), JSON.stringify({ providers: { fake } }));
    writeFileSync(this.path("agent/settings.json"), JSON.stringify({ ...settings, enableInstallTelemetry: false }));
  }

  /** A world that is gone with its test. */
  static async create(test: { after(end: () => void): void }): Promise<World> {
    const pages = createServer((request, response) => {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.end(page(new URL(request.url ?? "/", "http://127.0.0.1").pathname));
    });
    await new Promise<void>((done) => pages.listen(0, "127.0.0.1", done));
    const world = new World(await Model.start(), pages);
    test.after(() => world.#end());
    return world;
  }

  path(name: string): string {
    return join(this.root, name);
  }

  url(name: string): string {
    return `http://127.0.0.1:${(this.#pages.address() as AddressInfo).port}/${name}`;
  }

  /** The package as one configured source, so that plain `pi` loads it. */
  configure(): void {
    const path = this.path("agent/settings.json");
    const settings = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, JSON.stringify({ ...settings, packages: [PACKAGE], extensions: [CONTROL] }));
  }

  spawn(args: string[], options: { cwd?: string; input?: "pipe" | "ignore" } = {}): ChildProcess {
    const { cwd = this.path("work"), input = "ignore" } = options;
    return spawn(process.execPath, [PI, ...args], { cwd, env: this.env, stdio: [input, "pipe", "pipe"] });
  }

  /** `pi -p` with the package, to its end. */
  print(prompt: string, ...args: string[]): Promise<Finished> {
    return finished(this.spawn(["-p", "--approve", "-ne", "-e", PACKAGE, ...args, prompt]));
  }

  /** Entries of the one session file that `id` names. */
  entries(id: string): Entry[] {
    const folder = this.path("agent/sessions");
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(`_${id}.jsonl`));
    if (names.length !== 1) throw new Error(`${names.length} files of session ${id}`);
    return readFileSync(join(folder, names[0] ?? ""), "utf8").trim().split("\n").map((line) => JSON.parse(line));
  }

  /** Results of the tool in that file, in order. */
  results(id: string): Result[] {
    const messages = this.entries(id).map((entry) => entry.message);
    return messages.filter((message) => message?.role === "toolResult") as Result[];
  }

  /** A program that the package finds in place of the real one; `$REAL` is that one. */
  wrap(script: string): void {
    const path = this.path("wrapped");
    writeFileSync(path, `#!/bin/sh\nREAL=${PROGRAM}\n${script}\n`, { mode: 0o755 });
    this.env.AGENT_BROWSER_NATIVE_PATH = path;
  }

  /** Everything that was said to the program, when `wrap(TAP)` is in place. */
  said(): { method: string; params: Record<string, unknown> }[] {
    return readFileSync(this.path("said"), "utf8").trim().split("\n").map((line) => JSON.parse(line));
  }

  /** The script for `wrap` that writes down what pi says. */
  get tap(): string {
    return `tee -a ${this.path("said")} | $REAL "$@"`;
  }

  /** Processes that carry this world in their environment, with their command lines. */
  processes(): { pid: number; command: string }[] {
    const found = [];
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, "utf8").includes(this.root)) continue;
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
        if (command) found.push({ pid: Number(pid), command });
      } catch {
        // Gone, or not ours to read.
      }
    }
    return found;
  }

  browsers(): number[] {
    const main = (command: string) => command.includes("--user-data-dir=") && !command.includes("--type=");
    return this.processes().flatMap(({ pid, command }) => (main(command) ? [pid] : []));
  }

  doors(): number[] {
    return this.processes().flatMap(({ pid, command }) => (command === `${PROGRAM} rpc` ? [pid] : []));
  }

  #end(): void {
    this.model.stop();
    this.#pages.closeAllConnections();
    this.#pages.close();
    for (const { pid } of this.processes()) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // Gone already.
      }
    }
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

export interface Result {
  role: "toolResult";
  toolName: string;
  content: { type: string; text?: string }[];
  details: Record<string, any>;
  isError: boolean;
}

export interface Entry {
  type: string;
  id: string;
  parentId: string | null;
  message?: { role: string };
}

export function finished(child: ChildProcess): Promise<Finished> {
  const out = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (chunk) => (out.stdout += chunk));
  child.stderr?.setEncoding("utf8").on("data", (chunk) => (out.stderr += chunk));
  return new Promise((done, fail) => child.on("error", fail).on("close", (code) => done({ code, ...out })));
}

/** Waits until something holds; fails with `what` after `limit` milliseconds. */
export async function until(what: string, holds: () => boolean, limit = 10_000): Promise<void> {
  const end = Date.now() + limit;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`not within ${limit} ms: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

function page(path: string): string {
  const title = path.slice(1) || "home";
  return `<!doctype html><title>${title}</title><h1>Page ${title}</h1>
<label>Name <input id="name"></label>
<button id="save" onclick="document.querySelector('p').textContent = 'Stored ' + document.querySelector('input').value">Save</button>
<a href="/other">Other</a><p role="status">Nothing yet</p>
${path === "/long" ? Array.from({ length: 30 }, (_, at) => `<button>Row ${at}</button>`).join("") : ""}
${path === "/evil" ? "<p>before&#27;]0;owned&#7;after&#27;[2J&#155;31mend</p>" : ""}`;
}
