// pi in its RPC mode: a session that a test leads turn by turn.
import type { ChildProcess } from "node:child_process";
import type { ToolCall } from "./model.ts";
import { type Finished, finished, PACKAGE, type Result, type World } from "./world.ts";
import { fileURLToPath } from "node:url";

const CONTROL = fileURLToPath(new URL("./control.ts", import.meta.url));
const TURN_LIMIT = 60_000;

type Event = Record<string, any> & { type: string };

export class Session {
  readonly events: Event[] = [];
  readonly done: Promise<Finished>;
  #child: ChildProcess;
  #world: World;
  #waiting = new Set<() => void>();
  #ended = false;

  /** `-ne -e` by default; with `configured`, what the settings name. */
  constructor(world: World, id: string, options: { configured?: boolean; cwd?: string; args?: string[] } = {}) {
    const sources = options.configured ? [] : ["-ne", "-e", PACKAGE, "-e", CONTROL];
    const args = ["--mode", "rpc", "--approve", "--session-id", id, ...sources, ...(options.args ?? [])];
    this.#world = world;
    this.#child = world.spawn(args, { input: "pipe", cwd: options.cwd });
    let rest = "";
    this.#child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.events.push(JSON.parse(line));
      for (const check of this.#waiting) check();
    });
    this.#child.on("exit", () => {
      this.#ended = true;
      for (const check of this.#waiting) check();
    });
    this.done = finished(this.#child);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  send(command: object): void {
    this.#child.stdin?.write(`${JSON.stringify(command)}\n`);
  }

  /** A command and its answer. */
  async ask(command: { type: string } & Record<string, unknown>): Promise<any> {
    const id = `t${this.events.length}-${Math.random()}`;
    this.send({ id, ...command });
    const answer = await this.event((event) => event.type === "response" && event.id === id);
    if (!answer.success) throw new Error(answer.error);
    return answer.data;
  }

  /** The first event from `from` on that fits. */
  event(fits: (event: Event) => boolean, from = 0): Promise<Event> {
    return new Promise((done, fail) => {
      const end = (settle: () => void) => {
        clearTimeout(timer);
        this.#waiting.delete(check);
        settle();
      };
      const check = () => {
        const found = this.events.slice(from).find(fits);
        if (found) end(() => done(found));
        else if (this.#ended) end(() => fail(new Error("pi has ended")));
      };
      const last = () => JSON.stringify(this.events.slice(-3)).slice(0, 2000);
      const timer = setTimeout(() => end(() => fail(new Error(`no such event; last: ${last()}`))), TURN_LIMIT);
      this.#waiting.add(check);
      check();
    });
  }

  /** The model makes these calls of agent_browser, message by message; their results. */
  turn(...messages: object[][]): Promise<Result[]> {
    const named = messages.map((calls) => calls.map((call) => ({ name: "agent_browser", arguments: call })));
    return this.prompt("go", ...named);
  }

  /** One call of one message. */
  async call(...args: string[]): Promise<Result> {
    const [result] = await this.turn([{ args }]);
    if (!result) throw new Error("no result");
    return result;
  }

  async prompt(text: string, ...messages: ToolCall[][]): Promise<Result[]> {
    const from = this.events.length;
    this.begin(text, ...messages);
    await this.event((event) => event.type === "agent_settled", from);
    return this.results(from);
  }

  /** Like `prompt`, without waiting for the end. */
  begin(text: string, ...messages: ToolCall[][]): void {
    this.#world.model.script(...messages.map((calls) => ({ calls })));
    this.send({ type: "prompt", message: text });
  }

  results(from = 0): Result[] {
    const ends = this.events.slice(from).filter((event) => event.type === "message_end");
    return ends.map((event) => event.message).filter((message) => message.role === "toolResult");
  }

  /** A command of `control.ts`. */
  async control(line: string): Promise<void> {
    await this.ask({ type: "prompt", message: line });
  }

  /** The user leaves. */
  quit(): Promise<Finished> {
    this.#child.stdin?.end();
    return this.done;
  }

  kill(signal: NodeJS.Signals): Promise<Finished> {
    this.#child.kill(signal);
    return this.done;
  }
}

/** The text of a result. */
export const textOf = (result: Result | undefined): string =>
  (result?.content ?? []).map((part) => part.text ?? `[${part.type}]`).join("\n");
