// The process `agent-browser-native rpc`: found, started, asked, ended.
// Nothing in here may throw outside of a promise: that would end pi itself.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Content, Request, Results, ShutdownReason } from "./protocol.ts";

/** Names a program of the user's choice. */
export const PATH_VARIABLE = "AGENT_BROWSER_NATIVE_PATH";

/** How long the program may take to end once its stdin is closed. */
const END_LIMIT = 6_000;
/** How long a call may take to answer once nobody wants it any more. */
const CANCEL_LIMIT = 5_000;

/** The program has answered that it will not do it. */
export class Refused extends Error {}

type Method = Request["method"];
type Params<M extends Method> = Extract<Request, { method: M }>["params"];

export interface Asking {
  /** Milliseconds until the program counts as stuck. */
  limit?: number;
  /** It is only late then, and not ended: others may wait for it. */
  aside?: boolean;
  signal?: AbortSignal;
  update?: (content: Content[]) => void;
}

interface Pending {
  child: ChildProcess;
  update?: (content: Content[]) => void;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

export interface Program {
  program: string;
  env: NodeJS.ProcessEnv;
}

/** The explicit setting, the npm package of this platform, a build of this checkout, the PATH. */
export function findProgram(env: NodeJS.ProcessEnv = process.env): Program {
  if (env[PATH_VARIABLE]) return { program: env[PATH_VARIABLE], env };
  try {
    return createRequire(import.meta.url)("agent-browser-native").locate({ env });
  } catch {
    const built = fileURLToPath(new URL("../../target/release/agent-browser-native", import.meta.url));
    return { program: existsSync(built) ? built : "agent-browser-native", env };
  }
}

export class Door {
  #child: ChildProcess | undefined;
  #pending = new Map<number, Pending>();
  #last = 0;

  get running(): boolean {
    return this.#child !== undefined;
  }

  start({ program, env }: Program): void {
    const child = spawn(program, ["rpc"], { env, stdio: ["pipe", "pipe", "ignore"] });
    this.#child = child;
    const lost = (why: string) => {
      if (this.#child === child) this.#child = undefined;
      for (const pending of this.#pending.values())
        if (pending.child === child) pending.reject(new Error(`${program} ${why}`));
    };
    child.on("error", (error) => lost(`could not be started (${error.message})`));
    child.on("exit", (code, signal) => lost(`ended (${signal ?? `exit code ${code}`})`));
    child.stdin?.on("error", () => {}); // "exit" reports the loss
    let parts: string[] = [];
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      parts.push(chunk);
      if (!chunk.includes("\n")) return;
      const lines = parts.join("").split("\n");
      parts = [lines.pop() ?? ""];
      for (const line of lines) this.#receive(line);
    });
  }

  #receive(line: string): void {
    try {
      const message = JSON.parse(line);
      if (message.method === "$/update") {
        this.#pending.get(message.params.id)?.update?.(message.params.content);
        return;
      }
      // A line that it could not read may be anybody's.
      const [waiting, Kind] =
        message.id === null ? [[...this.#pending.values()], Error] : [[this.#pending.get(message.id)], Refused];
      for (const pending of waiting)
        if (message.error) pending?.reject(new Kind(message.error.message));
        else pending?.resolve(message.result);
    } catch {
      // Not a message; whoever waits has a limit or a signal.
    }
  }

  ask<M extends Method & keyof Results>(method: M, params: Params<M>, asking: Asking = {}): Promise<Results[M]> {
    const child = this.#child;
    const id = ++this.#last; // ids of the model need not be unique
    return new Promise((resolve, reject) => {
      if (!child) return reject(new Error("agent-browser-native is not running"));
      let timer: NodeJS.Timeout | undefined;
      const stuck = (limit: number, ends = true) => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          const late = `agent-browser-native did not answer within ${limit / 1000} s${ends ? " and was ended" : ""}`;
          this.#pending.get(id)?.reject(new Error(late));
          if (ends) child.kill("SIGKILL");
        }, limit);
      };
      const cancel = () => {
        send(child, { method: "$/cancel", params: { id } });
        stuck(CANCEL_LIMIT);
      };
      const settled = <T>(then: (value: T) => void) => (value: T) => {
        this.#pending.delete(id);
        clearTimeout(timer);
        asking.signal?.removeEventListener("abort", cancel);
        then(value);
      };
      this.#pending.set(id, {
        child,
        update: asking.update,
        resolve: settled(resolve as (value: unknown) => void),
        reject: settled(reject),
      });
      send(child, { id, method, params });
      if (asking.limit) stuck(asking.limit, !asking.aside);
      if (asking.signal?.aborted) cancel();
      else asking.signal?.addEventListener("abort", cancel, { once: true });
    });
  }

  /** Says why pi leaves, closes stdin and waits for the end. May be called twice. */
  async end(reason: ShutdownReason): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const ended = new Promise((resolve) => child.once("exit", resolve).once("error", resolve));
    const timer = setTimeout(() => child.kill("SIGKILL"), END_LIMIT);
    this.ask("session/shutdown", { reason }).catch(() => {});
    child.stdin?.end();
    await ended;
    clearTimeout(timer);
  }
}

function send(child: ChildProcess, message: object): void {
  child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}
