"""The Python SDK, v2: by handshake, by asking the server first, or at 2026-07-28 without asking."""

import anyio
import mcp_types as types
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from script import DEADLINE, Steps, filled_in, play, sampled

MODES = {"legacy": "legacy", "auto": "auto", "modern": "2026-07-28"}


class ModernSteps(Steps):
    """At 2026-07-28 a client listens on a stream."""

    async def subscribe(self, uri, tool):
        async with self.client.listen(resource_subscriptions=[uri]) as subscription:
            await self.client.call_tool(tool, {})
            with anyio.fail_after(DEADLINE):
                return (await anext(subscription)).uri

    async def changes(self, tool):
        async with self.client.listen(tools_list_changed=True) as subscription:
            await self.client.call_tool(tool, {})
            with anyio.fail_after(DEADLINE):
                await anext(subscription)
        return await self.tools()


async def connect(script, stack):
    hear, heard = anyio.create_memory_object_stream(100)

    async def elicit(_, params):
        return types.ElicitResult.model_validate(filled_in(params, script["answers"]))

    async def sample(_, params):
        return types.CreateMessageResult.model_validate(sampled(script["answers"]["model"]))

    async def on_log(params):
        await steps.on_log(params)

    async def on_message(message):
        if isinstance(message, Exception):
            raise message
        await hear.send((message.method, message.params))

    if "url" in script:
        server = script["url"]
    else:
        command, *arguments = script["command"]
        server = StdioServerParameters(command=command, args=arguments)
    client = await stack.enter_async_context(
        Client(
            server,
            mode=MODES[script["era"]],
            read_timeout_seconds=DEADLINE,
            elicitation_callback=elicit,
            sampling_callback=sample,
            logging_callback=on_log,
            message_handler=on_message,
        )
    )
    is_modern = script["era"] != "legacy"
    steps = (ModernSteps if is_modern else Steps)(client, types, heard)
    return {"revision": client.protocol_version}, steps


play(connect)
