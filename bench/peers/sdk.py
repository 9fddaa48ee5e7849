"""The official Python SDK with the one equivalent tool: no sessions, answers in JSON."""

import sys

from address import is_valid
from mcp.server.mcpserver import MCPServer
from typing_extensions import TypedDict


class Validity(TypedDict):
    address: str
    isValid: bool


server = MCPServer("python-peer", log_level="ERROR")


@server.tool()
async def validate_address(address: str) -> Validity:
    """Whether a text is a valid Qortal address."""
    return {"address": address, "isValid": is_valid(address)}


server.run(
    "streamable-http", host="127.0.0.1", port=int(sys.argv[1]), json_response=True, stateless_http=True
)
