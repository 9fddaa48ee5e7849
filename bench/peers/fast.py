"""FastMCP with the one equivalent tool: no sessions, answers in JSON."""

import sys

from address import is_valid
from fastmcp import FastMCP
from typing_extensions import TypedDict


class Validity(TypedDict):
    address: str
    isValid: bool


server = FastMCP("fastmcp-peer")


@server.tool
async def validate_address(address: str) -> Validity:
    """Whether a text is a valid Qortal address."""
    return {"address": address, "isValid": is_valid(address)}


server.run(
    transport="http",
    host="127.0.0.1",
    port=int(sys.argv[1]),
    path="/mcp",
    json_response=True,
    stateless_http=True,
    show_banner=False,
    log_level="ERROR",
)
