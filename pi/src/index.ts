// The tool agent_browser in pi. Everything is decided by the program behind `door`; this file only
// carries: tools and prompt text in, calls and the life of the session out.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ExtensionAPI, ExtensionContext, ToolDefinition } from "@earendil-works/pi-coding-agent";
import { Door, findProgram, PATH_VARIABLE, Refused } from "./door.ts";
import type { InitializeResult, SessionParams, ToolInfo } from "./protocol.ts";
import type { Renderers } from "./render.ts";

const TOOL = "agent_browser";
const START_LIMIT = 10_000;
const ASIDE = { limit: 3_000, aside: true };
/** Facts for one message: half of what the program reads as a line. */
const FACTS_LIMIT = 8 * 1024 * 1024;

/** Offered while the program cannot be started, so that the model can say what is missing. */
const STAND_IN: ToolInfo = {
  name: TOOL,
  label: "Browser",
  description: "Drive a real browser. Its program could not be started; a call tries again and says what is missing.",
  snippet: "Drive a real browser (its program could not be started)",
  parameters: { type: "object", properties: { args: { type: "array", items: { type: "string" } } } },
};

export default function (pi: ExtensionAPI): void {
  const door = new Door();
  const failed = new Set<string>();
  let greeting: Promise<void> | undefined;
  let renderers: Renderers | undefined;
  let prompt: string | undefined;

  /** Starts the program if it is not there, and tells it where this session stands. */
  const ready = (ctx: ExtensionContext): Promise<void> => {
    if (!greeting || !door.running) greeting = greet(ctx);
    return greeting;
  };

  const greet = async (ctx: ExtensionContext): Promise<void> => {
    const session = sessionOf(ctx);
    door.start(findProgram());
    try {
      const hello = await door.ask("initialize", { door: "pi", ...session }, { limit: START_LIMIT });
      if (prompt !== undefined) await door.ask("prompt", { text: prompt }, ASIDE).catch(() => {}); // late is no harm
      register(hello);
    } catch (error) {
      await door.end("quit"); // a program that does not understand us is of no use
      throw error;
    }
  };

  const register = ({ tools, guidelines }: Pick<InitializeResult, "tools" | "guidelines">): void => {
    tools.forEach((tool, index) => {
      pi.registerTool({ ...definition(tool), promptGuidelines: index === 0 ? guidelines.concat(documents()) : [] });
    });
  };

  const definition = (tool: ToolInfo): ToolDefinition => ({
    name: tool.name,
    label: tool.label,
    description: tool.description,
    promptSnippet: tool.snippet,
    parameters: tool.parameters as ToolDefinition["parameters"],
    async execute(callId, params, signal, onUpdate, ctx) {
      const [sessionId, cwd] = [ctx.sessionManager.getSessionId(), ctx.cwd];
      let started = false;
      try {
        await ready(ctx);
        started = true;
        const update = (content: ToolContent) => onUpdate?.({ content, details: {} });
        const call = { tool: tool.name, params, sessionId, cwd };
        const { content, details, isError } = await door.ask("call", call, { signal, update });
        if (isError) failed.add(callId);
        return { content, details };
      } catch (error) {
        failed.add(callId);
        return failure(started, signal?.aborted === true, error);
      }
    },
    ...renderers?.(tool.name),
  });

  pi.on("session_start", async (_event, ctx) => {
    try {
      // Importing pi's own packages is slow, and only a terminal draws.
      if (ctx.mode === "tui") renderers = (await import("./render.ts")).renderers;
      // Another directory may configure another tool.
      if (door.running) register(await door.ask("session/start", sessionOf(ctx), { limit: START_LIMIT }));
      else await ready(ctx);
    } catch (error) {
      register({ tools: [STAND_IN], guidelines: [] });
      throw new Error(missing(error)); // pi shows it and goes on
    }
  });

  pi.on("session_tree", async (_event, ctx) => {
    if (door.running) await door.ask("session/tree", sessionOf(ctx), { limit: START_LIMIT });
  });

  pi.on("before_agent_start", async (event) => {
    prompt = event.prompt;
    if (door.running) await door.ask("prompt", { text: prompt }, ASIDE);
  });

  pi.on("tool_call", async (event) => {
    const command = event.toolName === "bash" ? (event.input as { command?: unknown }).command : undefined;
    if (typeof command !== "string" || !command.includes("agent-browser") || !door.running) return;
    // A guard for comfort: without an answer the command runs.
    const { block, reason } = await door
      .ask("bash/check", { command }, ASIDE)
      .catch(() => ({ block: false, reason: undefined }));
    if (block) return { block, reason };
  });

  // The only way to mark a result as failed and keep its details.
  pi.on("tool_result", (event) => (failed.delete(event.toolCallId) ? { isError: true } : undefined));

  pi.on("session_shutdown", (event) => door.end(event.reason));
}

type ToolContent = Awaited<ReturnType<ToolDefinition["execute"]>>["content"];

/** The session and what the results on its branch have recorded. Before any `await`: ctx gets stale. */
function sessionOf(ctx: ExtensionContext): SessionParams {
  const facts = [];
  let left = FACTS_LIMIT;
  // The newest count: what a long branch knew at its beginning has mostly been replaced.
  for (const entry of ctx.sessionManager.getBranch().toReversed()) {
    if (entry.type !== "message" || entry.message.role !== "toolResult" || entry.message.toolName !== TOOL) continue;
    const details = entry.message.details as { facts?: unknown } | undefined;
    if (!details?.facts) continue;
    left -= Buffer.byteLength(JSON.stringify(details.facts));
    if (left < 0) break;
    facts.push({ facts: details.facts });
  }
  facts.reverse();
  return { sessionId: ctx.sessionManager.getSessionId(), cwd: ctx.cwd, trusted: ctx.isProjectTrusted(), facts };
}

/** Where the model finds more, for its `read` tool: in the package or in the checkout. */
function documents(): string[] {
  const names = ["README.md", "docs/COMMAND_REFERENCE.md", "docs/TOOL_CONTRACT.md", "docs/ELECTRON.md"];
  const roots = ["..", "../.."].map((root) => fileURLToPath(new URL(root, import.meta.url)));
  const root = roots.find((root) => names.every((name) => existsSync(join(root, name))));
  return root ? [`${TOOL} documents in ${join(root, "/")}: ${names.join(", ")}`] : [];
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function missing(error: unknown): string {
  return `${reasonOf(error)}. Build it (cargo install --path . in the checkout of agent-browser-native) or set ${PATH_VARIABLE} to the program; the next call tries again`;
}

/** The program could not be asked, did not want to, or was gone before it answered. */
function failure(started: boolean, aborted: boolean, error: unknown) {
  const [category, ...lines] =
    error instanceof Refused
      ? ["validation-error", `nothing was done. ${error.message}.`]
      : !started
        ? ["missing-binary", `nothing was done. ${missing(error)}.`]
        : [
            aborted ? "aborted" : "upstream-error",
            `${reasonOf(error)} before the call was answered; whether it took effect is unknown. The next call starts the program again and goes on with the same browser if that still runs.`,
            'Next: {"args":["snapshot","-i"]}',
          ];
  const text = `Failed (${category}, Pi tool isError: true): ${lines.join("\n")}`;
  const details = { resultCategory: "failure", failureCategory: category, error: lines[0] };
  return { content: [{ type: "text" as const, text }], details };
}
