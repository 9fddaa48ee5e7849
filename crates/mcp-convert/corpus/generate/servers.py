"""What the installed Python SDK, mcp or fastmcp, answers for each type that a tool can return, as one entry of
../servers.json: servers.py mcp|fastmcp. Entries become that file by assemble.py."""
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
    for name, (kind, value) in TOOLS.items():
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
    for index, tool in enumerate(TOOLS):
        results[tool] = call(index + 1, "tools/call", {"name": tool, "arguments": {}} | meta)
    process.stdin.close()
    process.wait(timeout=30)
    return {"package": name, "version": version(name), "about": about, "results": results}


if __name__ == "__main__":
    if sys.argv[1] == "--serve":
        serve(sys.argv[2])
    else:
        print(json.dumps(ask(sys.argv[1]), ensure_ascii=False))
