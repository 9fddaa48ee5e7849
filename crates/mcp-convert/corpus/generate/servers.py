"""What the installed Python SDK, mcp or fastmcp, answers for each type that a tool can return, as one entry of
../servers.json: servers.py mcp|fastmcp. Entries become that file by assemble.py."""
import base64
import json
import subprocess
import sys
from importlib.metadata import version
from typing import Any, Optional

from pydantic import BaseModel


class Offer(BaseModel):
    price: str
    n: int


OFFERS = [Offer(price="1.0", n=1), Offer(price="2.0", n=2)]
# By name: the type that the tool says it returns, if it says one, and what it returns.
TOOLS = {
    "str": (str, "hello"),
    "str_json": (str, '{"a": 1}'),
    "str_plain": (None, "hello"),
    "int": (int, 42),
    "float": (float, 21.0),
    "float_large": (float, 1e22),
    "bool": (bool, True),
    "none": (type(None), None),
    "list_str": (list[str], ["a", "b"]),
    "list_one": (list[str], ["a"]),
    "list_int": (list[int], [1, 2]),
    "list_empty": (list[str], []),
    "list_dict": (list[dict[str, Any]], [{"b": 1, "a": "é"}, {"b": 2, "a": None}]),
    "list_model": (list[Offer], OFFERS),
    "list_list": (list[list[int]], [[1, 2], [3]]),
    "tuple": (tuple[str, int], ("a", 1)),
    "dict": (dict[str, Any], {"height": 468, "name": "é\n"}),
    "dict_plain": (None, {"height": 468}),
    "model": (Offer, OFFERS[0]),
    "optional": (Optional[str], "x"),
}


def tools_of_blocks():
    """The same for what a result is made of: each type of content, and lists of them."""
    from mcp.types import AudioContent, EmbeddedResource, ImageContent, ResourceLink, TextContent

    def made(kind, **fields):
        # By the names of the wire: attributes have other names in each version.
        return kind.model_validate(fields)

    png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
    wav = base64.b64encode(b"RIFF\x6c\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0@\x1f\0\0@\x1f\0\0\1\0\x08\0data\x48\0\0\0" + b"\x80" * 72).decode()
    pdf = base64.b64encode(b"%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n" * 2).decode()
    text = made(TextContent, type="text", text="plot done")
    image = made(ImageContent, type="image", data=png, mimeType="image/png")
    audio = made(AudioContent, type="audio", data=wav, mimeType="audio/wav")
    file = made(EmbeddedResource, type="resource", resource={"uri": "file:///tmp/r.pdf", "blob": pdf, "mimeType": "application/pdf"})
    note = made(EmbeddedResource, type="resource", resource={"uri": "file:///tmp/r.md", "text": "# r", "mimeType": "text/markdown"})
    link = made(ResourceLink, type="resource_link", uri="file:///tmp/a.csv", name="a.csv", mimeType="text/csv", size=3)
    return {
        "block_text": (TextContent, text),
        "block_image": (ImageContent, image),
        "block_audio": (AudioContent, audio),
        "block_resource": (EmbeddedResource, note),
        "block_file": (EmbeddedResource, file),
        "block_link": (ResourceLink, link),
        "list_block_text": (list[TextContent], [text, text]),
        "list_block_image": (list[ImageContent], [image]),
        "list_block_audio": (list[AudioContent], [audio]),
        "list_block_resource": (list[EmbeddedResource], [note, file]),
        "list_block_link": (list[ResourceLink], [link]),
        "list_block_mixed": (list[TextContent | ImageContent], [text, image]),
        "list_block_str": (list[str | ImageContent], ["plot done", image]),
        "block_plain": (None, [text, image]),
    }


def package(name):
    """What is said about the package, and its class of servers."""
    if name == "fastmcp":
        from fastmcp import FastMCP

        return "fastmcp, by return type", FastMCP
    if version("mcp").startswith("1."):
        from mcp.server.fastmcp import FastMCP

        return "FastMCP of the official Python SDK, by return type", FastMCP
    from mcp.server.mcpserver import MCPServer

    return "MCPServer of the official Python SDK, by return type", MCPServer


def serve(name):
    _, server_class = package(name)
    server = server_class("s")
    for name, (kind, value) in (TOOLS | tools_of_blocks()).items():
        def returns(value):
            def function():
                return value

            return function

        function = returns(value)
        function.__name__ = name
        if kind is not None:
            function.__annotations__["return"] = kind
        server.tool()(function)
    server.run(transport="stdio")


def ask(name):
    """Speaks to the server itself, so that nothing of an answer is lost on its way through a client."""
    process = subprocess.Popen(
        [sys.executable, __file__, "--serve", name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )

    def send(message):
        process.stdin.write(json.dumps({"jsonrpc": "2.0"} | message) + "\n")
        process.stdin.flush()

    def call(identifier, method, params):
        send({"id": identifier, "method": method, "params": params})
        for line in process.stdout:
            answer = json.loads(line)
            if answer.get("id") == identifier:
                return answer["result"]

    about, _ = package(name)
    client, meta = {"name": "c", "version": "1"}, {}
    if name == "mcp" and not version("mcp").startswith("1."):
        # Without a handshake, as its own client asks.
        prefix = "io.modelcontextprotocol/"
        said = {"protocolVersion": "2026-07-28", "clientInfo": client, "clientCapabilities": {}}
        meta = {"_meta": {prefix + key: value for key, value in said.items()}}
    else:
        call(0, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client})
        send({"method": "notifications/initialized"})
    results = {}
    for index, tool in enumerate(TOOLS | tools_of_blocks()):
        results[tool] = call(index + 1, "tools/call", {"name": tool, "arguments": {}} | meta)
    process.stdin.close()
    process.wait(timeout=30)
    return {"package": name, "version": version(name), "about": about, "results": results}


if __name__ == "__main__":
    if sys.argv[1] == "--serve":
        serve(sys.argv[2])
    else:
        print(json.dumps(ask(sys.argv[1]), ensure_ascii=False))
