"""pytest: a converter must answer as a vendor's does. Here the converter is the program mcp-convert, or what MCP_CONVERT names."""
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))
from corpus import cases  # noqa: E402

COMMAND = [os.environ.get("MCP_CONVERT", "mcp-convert"), "--to", "copilot", "--preset", "compat", "--flavor", "python"]


def convert(result):
    """Replace this by your converter."""
    answer = json.loads(subprocess.run(COMMAND, input=json.dumps(result), capture_output=True, text=True).stdout)
    if set(answer) == {"error"}:
        raise ValueError(answer["error"])
    return answer


@pytest.mark.parametrize("case", cases("copilot-python"), ids=str)
def test_case(case):
    if case.differs:
        pytest.skip(case.differs)
    try:
        output, failed = convert(case.result), False
    except ValueError:
        output, failed = None, True
    assert case.is_answered_by(output, failed), f"theirs {case.value or case.error}\nours {output}"
