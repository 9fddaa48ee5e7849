"""What the converters of the installed Python packages make of the inputs; each writes one file of ../vendors."""
import asyncio
import base64
import json
import logging
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import SimpleNamespace

logging.disable()
CORPUS = Path(__file__).resolve().parent.parent


def read_inputs():
    inputs = json.loads((CORPUS / "inputs.json").read_text())["inputs"]
    inputs = {name: it["result"] for name, it in inputs.items()}
    for server in json.loads((CORPUS / "servers.json").read_text())["servers"]:
        for name, result in server["results"].items():
            inputs[f"{server['package']} {server['version']} {name}"] = result
    return inputs


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
    fields = {"content": parsed.content, "structured_content": parsed.structuredContent, "is_error": parsed.isError}
    return {"value": _map_mcp_call_tool_result(SimpleNamespace(**fields)), "failed": bool(parsed.isError)}


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


# What takes the place of a preset: why there is none.
PRINTED = "It has no converter: a model gets what Python prints of the result, failures and Base64 included."
DATA = "Its outputs are data alone: no function of this crate equals them."
VENDORS = {
    "anthropic": ("anthropic", "anthropic", {}, anthropic),
    "langchain": ("langchain-mcp-adapters", "langchain", {}, langchain),
    "google-genai": ("google-genai", None, DATA, genai),
    "openai-agents": ("openai-agents", "openai_agents", {}, agents(False)),
    "openai-agents-structured": ("openai-agents", "openai_agents", {"use_structured_content": True}, agents(True)),
    "copilot-python": ("github-copilot-sdk", "copilot", {"flavor": "python"}, copilot),
    "pydantic-ai": ("pydantic-ai-slim", None, DATA, pydantic_ai),
    "strands": ("strands-agents", None, DATA, strands),
    "llama-index": ("llama-index-tools-mcp", None, PRINTED, llama_index),
}


def main():
    inputs = read_inputs()
    for name, (package, target, options, convert) in VENDORS.items():
        try:
            found = version(package)
        except PackageNotFoundError:
            continue
        outputs = {}
        for input_name, result in inputs.items():
            try:
                outputs[input_name] = {"value": json.loads(json.dumps(convert(result), default=as_json))}
            except Exception as error:  # What the vendor raises is its answer.
                outputs[input_name] = {"error": type(error).__name__}
        mcp = None if name == "copilot-python" else version("mcp")
        major = "" if mcp is None else f"-mcp{mcp.split('.')[0]}"
        head = {"vendor": name, "language": "python", "package": package, "version": found, "mcp": mcp}
        if target == "openai_agents" and mcp.split(".")[0] != "1":
            options = options | {"mcp": 2}
        head |= {"target": target, "options": options} if target else {"without_preset": options}
        write(f"{name}{major}", head, outputs)


def write(name, head, outputs):
    lines = ["{", '  "$schema": "../schema.json",']
    lines += [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    rows = [f"    {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in outputs.items()]
    lines += ['  "outputs": {', ",\n".join(rows), "  }", "}"]
    folder = CORPUS / "vendors" if len(sys.argv) < 2 else Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.json").write_text("\n".join(lines) + "\n")
    print(name, head["version"], head["mcp"], sum("value" in it for it in outputs.values()), "of", len(outputs))


if __name__ == "__main__":
    main()
