#!/usr/bin/env python3
"""Speaks for a model that knows the answers: it calls what a row of questions.jsonl names, and says what the tool answered.

It shows that every row can be answered and that the runner sees it. With --wrong it calls another tool, which the runner has to see.
"""

import json
import sys
from pathlib import Path

ROWS = {}
for line in (Path(__file__).parent / "questions.jsonl").read_text(encoding="utf-8").splitlines():
    row = json.loads(line)
    ROWS[row["id"]] = row
WRONG = "--wrong" in sys.argv

for line in sys.stdin:
    turn = json.loads(line)
    row, last = ROWS[turn["id"]], turn["messages"][-1]
    if last["role"] == "tool":
        reply = {"content": last["content"]}
    elif not row["tools"]:
        reply = {"content": "That is done." if WRONG else "The server only reads the chain: it cannot do that, and does not know it."}
    else:
        name = "explain_topic" if WRONG else row["tools"][0]
        call = {"name": name, "arguments": {"topic": "minting"} if WRONG else row["arguments"]}
        if name not in [it["name"] for it in turn["tools"]]:
            call = {"name": "call_tool", "arguments": call}
        reply = {"tool_calls": [call]}
    print(json.dumps(reply), flush=True)
