"""Plays a script: each step is done by the client, and what the client made of it is a line of JSON.

Whether that is right is judged by `judge.mjs`.
"""

import json
import sys
from contextlib import AsyncExitStack

import anyio
from pydantic import BaseModel

DEADLINE = 20.0


class Steps:
    """What both majors of the SDK do alike; each says how to connect, how to name types, and how to listen.

    `client` has the methods of a session, `heard` receives each notification's method and parameters.
    """

    def __init__(self, client, types, heard):
        self.client, self.types, self.heard = client, types, heard
        self.logs = []

    async def tools(self):
        return [tool.name for tool in (await self.client.list_tools()).tools]

    async def call(self, tool, arguments):
        return plain(await self.client.call_tool(tool, arguments))

    async def resources(self, most=None):
        listed = (await self.client.list_resources()).resources
        return [
            {"uri": str(it.uri), **plain(await self.client.read_resource(it.uri))}
            for it in listed[:most]
        ]

    async def prompt(self, name, arguments):
        listed = [prompt.name for prompt in (await self.client.list_prompts()).prompts]
        answer = plain(await self.client.get_prompt(name, arguments))
        return {"listed": listed, "messages": answer["messages"]}

    async def complete(self, prompt, argument, value):
        ref = self.types.PromptReference(type="ref/prompt", name=prompt)
        answer = await self.client.complete(ref, {"name": argument, "value": value})
        return answer.completion.values

    async def progress(self, tool):
        seen = []

        async def on_progress(progress, total, message):
            seen.append(progress)

        await self.client.call_tool(tool, {}, progress_callback=on_progress)
        return seen

    async def log(self, tool, count):
        await self.client.set_logging_level("info")
        await self.client.call_tool(tool, {})
        return self.logs[:count]

    async def subscribe(self, uri, tool):
        await self.client.subscribe_resource(self.uri(uri))
        await self.client.call_tool(tool, {})
        params = await self.next("notifications/resources/updated")
        await self.client.unsubscribe_resource(self.uri(uri))
        return str(params.uri)

    async def changes(self, tool):
        await self.client.call_tool(tool, {})
        await self.next("notifications/tools/list_changed")
        return await self.tools()

    def uri(self, uri):
        return uri

    async def next(self, wanted):
        with anyio.fail_after(DEADLINE):
            async for method, params in self.heard:
                if method == wanted:
                    return params

    async def on_log(self, params):
        self.logs.append(params.data)


def plain(value: BaseModel):
    return value.model_dump(by_alias=True, mode="json", exclude_unset=True)


def filled_in(params, answers):
    """What the user writes into a form."""
    schema = plain(params)["requestedSchema"]
    return {"action": "accept", "content": {field: answers[field] for field in schema["properties"]}}


def sampled(text):
    """What the model says."""
    return {"role": "assistant", "model": "none", "stopReason": "endTurn", "content": {"type": "text", "text": text}}


def play(connect):
    """Plays the script named on the command line. `connect(script, stack)` returns what there is to say
    about the connection, and its steps; it enters into `stack` what closes the connection."""
    with open(sys.argv[1], encoding="utf-8") as file:
        script = json.load(file)
    anyio.run(_play, connect, script)


async def _play(connect, script):
    steps = None

    async def connected():
        nonlocal steps
        about, steps = await connect(script, stack)
        return about

    stack = AsyncExitStack()
    await _attempt("connect", connected)
    if steps:
        for index, step in enumerate(script["steps"]):
            arguments = dict(step)
            act = getattr(steps, arguments.pop("do"))
            await _attempt(index, act, arguments)
    await _attempt("close", stack.aclose)


async def _attempt(step, act, arguments={}):
    try:
        line = {"step": step, "got": await act(**arguments)}
    except Exception as error:
        line = {"step": step, "failed": f"{type(error).__name__}: {error}"}
    print(json.dumps(line), flush=True)
