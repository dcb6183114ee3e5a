// A scripted model on 127.0.0.1 that speaks streaming chat completions: the n-th request gets the
// n-th reply. It keeps every request, so that a test can see what a model would have seen.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ToolCall {
  name: string;
  arguments: unknown;
}

export interface Reply {
  text?: string;
  calls?: ToolCall[];
}

export interface Seen {
  messages: { role: string; content: unknown }[];
  tools?: { function: { name: string; description: string; parameters: unknown } }[];
}

export class Model {
  readonly seen: Seen[] = [];
  #replies: Reply[] = [];
  #server: Server;
  #calls = 0;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error) => response.destroy(error));
    });
  }

  static async start(): Promise<Model> {
    const model = new Model();
    await new Promise<void>((done) => model.#server.listen(0, "127.0.0.1", done));
    return model;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** What it says next; after the last reply it says "done". */
  script(...replies: Reply[]): void {
    this.#replies = replies;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    if (request.method !== "POST") return void response.writeHead(404).end();
    this.seen.push(JSON.parse(body));
    const { text, calls = [] } = this.#replies.shift() ?? { text: "done" };
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (fields: object) =>
      response.write(`data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 0, model: "scripted", ...fields })}\n\n`);
    const delta = (part: object) => send({ choices: [{ index: 0, delta: part, finish_reason: null }] });
    delta({ role: "assistant", content: text ?? "" });
    calls.forEach((call, index) => {
      const fields = { name: call.name, arguments: JSON.stringify(call.arguments) };
      delta({ tool_calls: [{ index, id: `call_${++this.#calls}`, type: "function", function: fields }] });
    });
    send({ choices: [{ index: 0, delta: {}, finish_reason: calls.length ? "tool_calls" : "stop" }] });
    send({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } });
    response.end("data: [DONE]\n\n");
  }
}

/** The text of a message, and `[image_url]` for an image. */
export function textOf(message: { content: unknown } | undefined): string {
  const content = message?.content ?? "";
  if (typeof content === "string") return content;
  return (content as { type: string; text?: string }[]).map((part) => part.text ?? `[${part.type}]`).join("");
}
