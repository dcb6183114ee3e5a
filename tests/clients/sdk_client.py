"""Drives the stdio door with the Python SDK's client and prints one JSON line per step.

python sdk_client.py PROGRAM
"""

import asyncio
import json
import os
import sys
import time

from mcp import ClientSession, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client


def need(condition, what):
    if not condition:
        raise AssertionError(what)


class Steps:
    def __init__(self, session):
        self.session = session

    async def call(self, *args, **options):
        return await self.session.call_tool("agent_browser", {"args": list(args)}, **options)

    async def initialize(self):
        answer = await self.session.initialize()
        need(answer.server_info.name == "agent-browser-native", "the server's name")
        need(answer.capabilities.tools is not None, "the tools capability")

    async def list_tools(self):
        tools = {tool.name: tool for tool in (await self.session.list_tools()).tools}
        need(tools["agent_browser"].input_schema["type"] == "object", "an object schema")

    async def call_(self):
        result = await self.call("open", "http://127.0.0.1:9/form.html")
        need(not result.is_error and result.content[0].text.startswith("Opened "), result)

    async def failed_call(self):
        result = await self.call("click", "@e999")
        need(result.is_error, "isError")
        need(result.content[0].text.startswith("Failed (stale-ref"), result)

    async def protocol_error(self):
        try:
            await self.session.call_tool("no_such_tool", {})
        except MCPError as error:
            need(error.error.code == -32602, error.error)
        else:
            raise AssertionError("an unknown tool was called")

    async def ping(self):
        await self.session.send_ping()

    async def image_content(self):
        result = await self.call("screenshot")
        images = [part for part in result.content if part.type == "image"]
        need(images and images[0].mime_type == "image/png" and images[0].data, result)

    async def progress(self):
        seen = []

        async def note(progress, total, message):
            seen.append(progress)

        result = await self.call("get", "text", "#slow", progress_callback=note)
        need(not result.is_error, result)
        need(seen, "a progress notification")

    async def cancel(self):
        pending = asyncio.create_task(self.call("get", "text", "#hang"))
        await asyncio.sleep(0.5)
        pending.cancel()
        await asyncio.gather(pending, return_exceptions=True)
        begun = time.monotonic()
        await self.session.send_ping()
        result = await self.call("get", "title")
        need(time.monotonic() - begun < 5, "a free browser soon after")
        need(not result.is_error, result)


async def step(name, run):
    try:
        await run()
        line = {"step": name, "ok": True, "note": ""}
    except Exception as error:
        line = {"step": name, "ok": False, "note": f"{type(error).__name__}: {error}"}
    print(json.dumps(line), flush=True)


async def main():
    server = StdioServerParameters(command=sys.argv[1], args=["mcp"], env=dict(os.environ))
    begun = None

    async def all_steps():
        nonlocal begun
        async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
            steps = Steps(session)
            await step("initialize", steps.initialize)
            await step("list tools", steps.list_tools)
            await step("call", steps.call_)
            await step("failed call", steps.failed_call)
            await step("protocol error", steps.protocol_error)
            await step("ping", steps.ping)
            await step("image content", steps.image_content)
            await step("progress", steps.progress)
            await step("cancel", steps.cancel)
            begun = time.monotonic()

    await all_steps()

    async def closed():
        # The SDK waits two seconds for the program to end by itself, then kills it.
        need(time.monotonic() - begun < 2, "an end by itself when the input is closed")

    await step("close", closed)


asyncio.run(main())
