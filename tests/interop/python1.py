"""The Python SDK, v1: it knows the handshake only."""

from datetime import timedelta

import anyio
from mcp import ClientSession, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from pydantic import AnyUrl

from script import DEADLINE, Steps, filled_in, play, sampled


class Steps1(Steps):
    def uri(self, uri):
        return AnyUrl(uri)


async def connect(script, stack):
    hear, heard = anyio.create_memory_object_stream(100)
    steps = Steps1(None, types, heard)

    async def elicit(_, params):
        return types.ElicitResult.model_validate(filled_in(params, script["answers"]))

    async def sample(_, params):
        return types.CreateMessageResult.model_validate(sampled(script["answers"]["model"]))

    async def on_message(message):
        if isinstance(message, Exception):
            raise message
        if isinstance(message, types.ServerNotification):
            await hear.send((message.root.method, message.root.params))

    if "url" in script:
        transport = streamable_http_client(script["url"])
    else:
        command, *arguments = script["command"]
        transport = stdio_client(StdioServerParameters(command=command, args=arguments))
    read, write, *_ = await stack.enter_async_context(transport)
    steps.client = await stack.enter_async_context(
        ClientSession(
            read,
            write,
            read_timeout_seconds=timedelta(seconds=DEADLINE),
            elicitation_callback=elicit,
            sampling_callback=sample,
            logging_callback=steps.on_log,
            message_handler=on_message,
        )
    )
    agreed = await steps.client.initialize()
    return {"revision": agreed.protocolVersion}, steps


play(connect)
