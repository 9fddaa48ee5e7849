"""Whether the SDK of a peer reads what `mcp` and `sampling` are given of the hostile results, and what is lost has a name:
peers.py PROGRAM, with the package mcp, and peers.py PROGRAM NODE FOLDER for the TypeScript SDK in the folder."""
import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from hostile import INPUTS
from judge import missing, run, walk


def python(_, values):
    from mcp.types import CallToolResult, ToolResultContent

    for name, value in values:
        try:
            (ToolResultContent if "toolUseId" in value else CallToolResult).model_validate(value)
        except ValueError as error:
            yield name, str(error).replace("\n", " ")[:300]


def node(command, values):
    script = Path(__file__).parent / "peers.mjs"
    lines = "".join(json.dumps(it) + "\n" for it in values)
    yield from json.loads(subprocess.run([command[0], script, command[1]], input=lines, capture_output=True, text=True, check=True).stdout)


if __name__ == "__main__":
    program, *command = sys.argv[1:]
    failed = 0
    for target in ["mcp", "sampling"]:
        reports = run(program, ["--to", target, "--report"], INPUTS.values())
        values = [(of, it["output"]) for of, it in zip(INPUTS, reports, strict=True)]
        refused = list((node if command else python)(command, values))
        unsaid = []
        for (of, result), report in zip(INPUTS.items(), reports):
            strings = [it for it in walk(report["output"]) if isinstance(it, str)]
            strings += ["failed"] if report["output"].get("isError") else []
            unsaid += [f"{of}: {it}" for it in missing(result, report["losses"], strings)]
        sdk = "@modelcontextprotocol/sdk" if command else f"mcp {version('mcp')}"
        print(f"{target}, {sdk}: {len(values)} inputs, {len(refused)} refused, {len(unsaid)} missing")
        for row in [f"refused: {it}" for it in refused] + [f"missing: {it}" for it in unsaid]:
            print(" ", row)
        failed += len(refused) + len(unsaid)
    sys.exit(bool(failed))
