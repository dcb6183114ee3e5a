// Drives the stdio door with the TypeScript SDK's client and prints one JSON line per step.
//
// node sdk_client.mjs PROGRAM; the packages are found through NODE_MODULES.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(`${process.env.NODE_MODULES}/index.js`);
const load = async (name) => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${name}`)));
const { Client } = await load("client/index.js");
const { StdioClientTransport } = await load("client/stdio.js");

const transport = new StdioClientTransport({ command: process.argv[2], args: ["mcp"], env: process.env });
const client = new Client({ name: "sdk-client", version: "1" });

async function step(name, run) {
  let line;
  try {
    line = { step: name, ok: true, note: await run() };
  } catch (error) {
    line = { step: name, ok: false, note: String(error?.stack ?? error) };
  }
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function need(condition, what) {
  if (!condition) throw new Error(what);
}

const call = (args, options) =>
  client.callTool({ name: "agent_browser", arguments: { args } }, undefined, options);

await step("initialize", async () => {
  await client.connect(transport);
  need(client.getServerVersion().name === "agent-browser-native", "the server's name");
  need(client.getServerCapabilities().tools, "the tools capability");
  return "";
});

await step("list tools", async () => {
  const { tools } = await client.listTools();
  const tool = tools.find(({ name }) => name === "agent_browser");
  need(tool?.inputSchema?.type === "object", "agent_browser with an object schema");
  return "";
});

await step("call", async () => {
  const result = await call(["open", "http://127.0.0.1:9/form.html"]);
  need(!result.isError && result.content[0].text.startsWith("Opened "), JSON.stringify(result));
  return "";
});

await step("failed call", async () => {
  const result = await call(["click", "@e999"]);
  need(result.isError === true, "isError");
  need(result.content[0].text.startsWith("Failed (stale-ref"), JSON.stringify(result));
  return "";
});

await step("protocol error", async () => {
  const error = await client.callTool({ name: "no_such_tool", arguments: {} }).catch((error) => error);
  need(error.code === -32602, `the code -32602, not ${JSON.stringify(error)}`);
  return "";
});

await step("ping", async () => {
  await client.ping();
  return "";
});

await step("image content", async () => {
  const result = await call(["screenshot"]);
  const image = result.content.find(({ type }) => type === "image");
  need(image?.mimeType === "image/png" && image.data.length > 0, JSON.stringify(result));
  return "";
});

await step("progress", async () => {
  let seen = 0;
  const result = await call(["get", "text", "#slow"], { onprogress: () => (seen += 1) });
  need(!result.isError, JSON.stringify(result));
  need(seen >= 1, "a progress notification");
  return "";
});

await step("cancel", async () => {
  const stop = new AbortController();
  const pending = call(["get", "text", "#hang"], { signal: stop.signal }).catch((error) => error);
  setTimeout(() => stop.abort("enough"), 500);
  need((await pending) instanceof Error, "the client's own abort");
  const begun = Date.now();
  await client.ping();
  const next = await call(["get", "title"]);
  need(Date.now() - begun < 5000, "a free browser soon after");
  need(!next.isError, JSON.stringify(next));
  return "";
});

await step("close", async () => {
  const pid = transport.pid;
  await client.close();
  for (let round = 0; round < 100; round += 1) {
    try {
      process.kill(pid, 0);
    } catch {
      return "";
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error("the program still runs 5 s after its input was closed");
});
