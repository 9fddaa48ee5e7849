"""What the converters of the installed Python packages make of the inputs; each writes one file of the folder that is named."""
import json
import logging
import os
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

CORPUS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(CORPUS))
import adapters  # noqa: E402, it is beside the folder of this script

logging.disable()


def read_inputs():
    inputs = json.loads((CORPUS / "inputs.json").read_text())["inputs"]
    inputs = {name: it["result"] for name, it in inputs.items()}
    for server in json.loads((CORPUS / "servers.json").read_text())["servers"]:
        for name, result in server["results"].items():
            inputs[f"{server['package']} {server['version']} {name}"] = result
    return inputs


# What takes the place of a preset: why there is none.
PRINTED = "It has no converter: a model gets what Python prints of the result, failures and Base64 included."
DATA = "Its outputs are data alone: no function of this crate equals them."
#: By name: the package, the target of the preset and its options, or why there is none; and what a preset adds to it.
VENDORS = {
    "anthropic": ("anthropic", "anthropic", {}, adapters.anthropic),
    "langchain": ("langchain-mcp-adapters", "langchain", {}, adapters.langchain),
    "google-genai": ("google-genai", None, DATA, adapters.genai),
    "openai-agents": ("openai-agents", None, DATA, adapters.agents(False)),
    "openai-agents-structured": ("openai-agents", None, DATA, adapters.agents(True)),
    "copilot-python": ("github-copilot-sdk", "copilot", {"flavor": "python"}, adapters.copilot),
    "pydantic-ai": ("pydantic-ai-slim", None, DATA, adapters.pydantic_ai),
    "strands": ("strands-agents", None, DATA, adapters.strands),
    "llama-index": ("llama-index-tools-mcp", None, PRINTED, adapters.llama_index),
}
#: Read from the source; see the adapter.
DOTNET = {
    "vendor": "copilot-dotnet",
    "language": "csharp",
    "package": "GitHub.Copilot.SDK",
    "version": "dotnet/src/Types.cs of github/copilot-sdk at cc0438d6",
    "mcp": "McpClientTool.cs of modelcontextprotocol/csharp-sdk at 609499b2 (2.2.0)",
    "newest": None,
    "read": "2026-11-28",
    "by_source": "No .NET package can be installed from the registries that the others come from: an adapter does what the source says.",
    "target": "copilot",
    "options": {"flavor": "dotnet"},
}


def main():
    inputs = read_inputs()
    if os.environ.get("BY_SOURCE"):
        write("copilot-dotnet", DOTNET, converted(adapters.copilot_dotnet, inputs))
        return
    newest = json.loads(os.environ.get("NEWEST", "{}"))
    for name, (package, target, options, convert) in VENDORS.items():
        # An environment has other packages' packages too; what it is for is named.
        if newest and package not in newest:
            continue
        try:
            found = version(package)
        except PackageNotFoundError:
            continue
        mcp = None if name == "copilot-python" else version("mcp")
        major = "" if mcp is None else f"-mcp{mcp.split('.')[0]}"
        head = {"vendor": name, "language": "python", "package": package, "version": found, "mcp": mcp, "newest": newest.get(package)}
        head |= {"target": target, "options": options} if target else {"without_preset": options}
        write(f"{name}{major}", head, converted(convert, inputs))


def converted(convert, inputs):
    outputs = {}
    for name, result in inputs.items():
        try:
            outputs[name] = {"value": json.loads(json.dumps(convert(result), default=adapters.as_json))}
        except Exception as error:  # What the vendor raises is its answer.
            outputs[name] = {"error": type(error).__name__}
    return outputs


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
