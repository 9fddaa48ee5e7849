"""The converters of Python packages as functions of a result: `from adapters import langchain`. Each needs its package, and raises
what that raises. What they return is JSON but for the models of packages, which `as_json` prints."""
import asyncio
import base64
import json
import re
from types import SimpleNamespace


def parse(result):
    from mcp.types import CallToolResult

    return CallToolResult.model_validate(result)


def as_json(value):
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if hasattr(value, "media_type"):
        return {"data": base64.b64encode(value.data).decode(), "media_type": value.media_type}
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", by_alias=True, exclude_none=True)
    return str(value)


def anthropic(result):
    from anthropic.lib.tools import ToolError
    from anthropic.lib.tools.mcp import _convert_tool_result

    try:
        return {"content": _convert_tool_result(parse(result)), "is_error": False}
    except ToolError as error:
        return {"content": error.content, "is_error": True}


def langchain(result):
    from langchain_mcp_adapters.tools import _convert_call_tool_result, _handle_mcp_tool_error, _MCPToolExecutionError

    def without_ids(blocks):  # They are random.
        return [{key: value for key, value in block.items() if key != "id"} for block in blocks]

    try:
        content, artifact = _convert_call_tool_result(parse(result))
        return {"content": without_ids(content), "artifact": artifact, "status": "success"}
    except _MCPToolExecutionError as error:
        return {"content": without_ids(_handle_mcp_tool_error(error)), "artifact": None, "status": "error"}


def genai(result):
    from google.genai.types import FunctionResponse

    response = FunctionResponse.from_mcp_response(name="f", response=parse(result))
    return response.model_dump(mode="json", exclude_none=True)


def agents(structured):
    def convert(result):
        from agents import RunContextWrapper
        from agents.mcp import MCPServer, MCPUtil
        from mcp.types import Tool

        class Server(MCPServer):
            async def connect(self): ...
            async def cleanup(self): ...
            name = "s"
            async def list_tools(self, *args, **kwargs): return []
            async def call_tool(self, *args, **kwargs): return parse(result)
            async def list_prompts(self): return None
            async def get_prompt(self, *args): return None

        server = Server(use_structured_content=structured)
        schema = {"type": "object", "properties": {}}
        tool = Tool(**{"name": "f", "inputSchema": schema})
        return asyncio.run(MCPUtil.invoke_mcp_tool(server, tool, RunContextWrapper(context=None), "{}"))

    return convert


def copilot(result):
    from copilot.tools import convert_mcp_call_tool_result
    from dataclasses import asdict

    converted = convert_mcp_call_tool_result(result)
    output = {"textResultForLlm": converted.text_result_for_llm, "resultType": converted.result_type}
    if converted.binary_results_for_llm:
        keys = {"data": "data", "mime_type": "mimeType", "type": "type", "description": "description"}
        output["binaryResultsForLlm"] = [
            {keys[name]: value for name, value in asdict(it).items() if name in keys and value}
            | {"mimeType": it.mime_type}
            for it in converted.binary_results_for_llm
        ]
    return output


def pydantic_ai(result):
    from pydantic_ai.mcp import _map_mcp_call_tool_result

    parsed = parse(result)
    # As mcp 2 names them, or mcp 1.
    either = lambda new, old: getattr(parsed, new) if hasattr(parsed, new) else getattr(parsed, old)
    failed = either("is_error", "isError")
    fields = {"content": parsed.content, "structured_content": either("structured_content", "structuredContent"), "is_error": failed}
    return {"value": _map_mcp_call_tool_result(SimpleNamespace(**fields)), "failed": bool(failed)}


def strands(result):
    from strands.tools.mcp import MCPClient

    output = MCPClient(lambda: None)._handle_tool_result("t1", parse(result))
    output.pop("metadata", None)  # For the host; here it is in `meta`.
    return output


def llama_index(result):
    from llama_index.core.tools import FunctionTool
    from llama_index.tools.mcp import McpToolSpec

    async def call(name, arguments):
        return parse(result)

    function = McpToolSpec(client=SimpleNamespace(call_tool=call))._create_tool_fn("f")
    output = asyncio.run(FunctionTool.from_defaults(async_fn=function, name="f", description="f").acall())
    return {"blocks": output.blocks, "is_error": output.is_error}


def copilot_dotnet(result):
    """Not a package: `ConvertFromInvocationResult` of the SDK and `McpClientTool`, `ContentBlock` of the C# SDK, read and written
    again here, because no .NET package can be installed from the registries that the others come from."""
    if not isinstance(result, dict) or not isinstance(result.get("content", []), list):
        raise ValueError("not a result")
    blocks = [_dotnet_block(it) for it in result.get("content", [])]
    structured, meta, failed = result.get("structuredContent"), result.get("_meta"), result.get("isError")
    has_meta = any(name != "io.modelcontextprotocol/serverInfo" for name in meta or {})
    if failed is not None and not isinstance(failed, bool):
        raise ValueError("isError")
    contents = [_dotnet_part(it) for it in blocks] if not failed and structured is None and not has_meta else []
    if contents and None not in contents:
        texts = [it for it in contents if isinstance(it, str)]
        binaries = [it for it in contents if not isinstance(it, str)]
        output = {"textResultForLlm": "\n".join(texts), "resultType": "success"}
        return output | ({"binaryResultsForLlm": binaries} if binaries else {})
    whole = {"resultType": result.get("resultType"), "content": blocks, "structuredContent": structured, "isError": failed, "_meta": meta}
    text = json.dumps({name: it for name, it in whole.items() if it is not None}, ensure_ascii=False)
    return {"textResultForLlm": text, "resultType": "success"}


def _dotnet_block(block):
    """A block as the C# SDK has read it: the members that it knows."""
    if not isinstance(block, dict):
        raise ValueError("an object")
    required = {"text": ["text"], "image": ["data", "mimeType"], "audio": ["data", "mimeType"], "resource": [], "resource_link": ["uri", "name"]}
    kind = block.get("type")
    if any(not isinstance(block.get(name), str) for name in required[kind]):
        raise ValueError(kind)
    known = ["type", *required[kind], "title", "description", "mimeType", "size", "icons", "annotations", "_meta"]
    known = known if kind == "resource_link" else ["type", *required[kind], "annotations", "_meta"]
    read = {name: block[name] for name in known if block.get(name) is not None}
    if kind == "resource":
        resource = block["resource"]
        held = next(name for name in ("blob", "text") if isinstance(resource.get(name), str))
        read["resource"] = {"uri": resource.get("uri") or "", "mimeType": resource.get("mimeType"), held: resource[held]}
    return read


def _dotnet_part(block):
    """A part of Microsoft.Extensions.AI; none of what it has no part for."""
    contents = block.get("resource", block)
    if "text" in contents:
        return contents["text"]
    data = contents.get("data", contents.get("blob"))
    if data is None:
        return None
    mime_type = contents.get("mimeType")
    mime_type = "application/octet-stream" if mime_type is None and "resource" in block else mime_type
    if not re.fullmatch(r"[\w!#$&^.+-]+/[\w!#$&^.+-]+(;.*)?", mime_type):
        raise ValueError("the media type")
    data = base64.b64encode(base64.b64decode("".join(data.split()), validate=True)).decode()
    return {"data": data, "mimeType": mime_type, "type": "image" if mime_type.lower().startswith("image/") else "resource"}
