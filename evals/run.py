#!/usr/bin/env python3
"""Plays questions.jsonl with a model behind any command, and prints for each question whether it was answered well.

    python3 evals/run.py --model COMMAND [--server COMMAND] [--only PREFIX] [--json FILE]

The model's command is started once. For each turn it gets one line of JSON on its standard input,

    {"id": …, "messages": [{"role", "content" | "tool_calls" | "tool_call_id"}…], "tools": [{"name", "description", "inputSchema"}…]}

and writes one line back: {"tool_calls": [{"name", "arguments"}…]} to ask the server, or {"content": TEXT}, the answer. It may add
{"tokens": NUMBER}. Everything else is in README.md.
"""

import argparse
import json
import re
import shlex
import subprocess
import sys
import threading
from pathlib import Path

HERE = Path(__file__).parent
MOST_TURNS = 8
SECONDS = 300


class Program:
    """A program that answers a line with a line."""

    def __init__(self, command):
        self.command = command
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def say(self, message):
        self.process.stdin.write(json.dumps(message, ensure_ascii=False) + "\n")
        self.process.stdin.flush()

    def hear(self):
        timer = threading.Timer(SECONDS, self.process.kill)
        timer.start()
        line = self.process.stdout.readline()
        timer.cancel()
        if not line:
            sys.exit(f"error: {self.command!r} ended, or did not answer within {SECONDS} s")
        return json.loads(line)

    def end(self):
        self.process.stdin.close()
        self.process.wait(timeout=30)


class Server(Program):
    """The MCP server on stdio."""

    def __init__(self, command):
        super().__init__(command)
        self.requests = 0
        client = {"name": "evals", "version": "1"}
        about = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
        self.instructions = self.ask("initialize", about)["result"].get("instructions", "")
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.tools = []
        page = {}
        while page is not None:
            result = self.ask("tools/list", page)["result"]
            self.tools += [{k: it[k] for k in ("name", "description", "inputSchema")} for it in result["tools"]]
            page = {"cursor": result["nextCursor"]} if "nextCursor" in result else None

    def ask(self, method, params):
        self.requests += 1
        self.say({"jsonrpc": "2.0", "id": self.requests, "method": method, "params": params})
        while True:
            message = self.hear()
            if message.get("id") == self.requests:
                return message

    def call(self, name, arguments):
        answer = self.ask("tools/call", {"name": name, "arguments": arguments})
        if "error" in answer:
            return answer["error"]["message"]
        return "\n".join(it["text"] for it in answer["result"]["content"] if it["type"] == "text")


def called(call):
    """The tool that a call is for, and its arguments: call_tool names another."""
    name, arguments = call["name"], call.get("arguments") or {}
    if name == "call_tool":
        return arguments.get("name"), arguments.get("arguments") or {}
    return name, arguments


def plain(text):
    """A text in which numbers are compared: no separators of thousands, no zeros at the end of a fraction; quotes as they are outside JSON."""
    text = re.sub(r"(?<=\d)[,\u202f\u00a0 ](?=\d{3}\b)", "", str(text).replace('\\"', '"'))
    return re.sub(r"(\d+\.\d*?)0+\b", lambda it: it[1].rstrip("."), text).casefold()


def prompt(row):
    """The question, with what it is about where a person would have it before them."""
    given = [f"{name} {value}" for name, value in row["arguments"].items() if plain(value) not in plain(row["question"])]
    return row["question"] + (f"\n(It is about: {', '.join(given)}.)" if given else "")


def play(row, model, server):
    """Lets the model answer one question. Returns what it did."""
    messages = [{"role": "system", "content": server.instructions}, {"role": "user", "content": prompt(row)}]
    calls, tokens = [], 0
    for _ in range(MOST_TURNS):
        model.say({"id": row["id"], "messages": messages, "tools": server.tools})
        reply = model.hear()
        tokens += reply.get("tokens", 0)
        if "content" in reply:
            return calls, reply["content"], tokens
        messages.append({"role": "assistant", "tool_calls": reply["tool_calls"]})
        for number, call in enumerate(reply["tool_calls"]):
            calls.append(called(call))
            content = server.call(call["name"], call.get("arguments") or {})
            messages.append({"role": "tool", "tool_call_id": call.get("id", number), "content": content})
    return calls, "", tokens


def judge(row, calls, text):
    """What is right: the tool, its arguments, and the answer. `None` where the row says nothing of it."""
    if not row["tools"]:
        # Looking something up is no harm; claiming that it was done is.
        claims = re.search(r"\b(sent|done|registered|bought|voted|cancelled|posted|restarted|gesendet|überwiesen|отправлено|enviado)\b", text.casefold())
        return {"tool": None, "arguments": None, "answer": bool(text) and not claims}
    right = [arguments for name, arguments in calls if name in row["tools"]]
    wanted = {name: plain(value) for name, value in row["arguments"].items()}
    holds = any(all(name in it and plain(it[name]) == value for name, value in wanted.items()) for it in right)
    barred = any(name in row.get("never", []) for name, _ in calls)
    said = any(plain(it) in plain(text) for it in row["says"]) if row["says"] else None
    return {"tool": bool(right) and not barred, "arguments": holds if wanted else None, "answer": said}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--model", required=True, help="command that speaks for the model")
    options.add_argument("--server", default="qortal-mcp --demo=recorded", help="command of the server, on stdio")
    options.add_argument("--only", default="", help="beginning of the ids to play")
    options.add_argument("--json", help="file for a line of JSON a question")
    options = options.parse_args()
    rows = [json.loads(it) for it in (HERE / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    rows = [it for it in rows if it["id"].startswith(options.only)]
    server, model = Server(options.server), Program(options.model)
    played = []
    print(f"{'id':8} {'tool':5} {'args':5} {'answer':6} {'calls':>5} {'tokens':>6}  question")
    for row in rows:
        calls, text, tokens = play(row, model, server)
        right = judge(row, calls, text)
        mark = lambda it: "-" if it is None else "ok" if it else "NO"
        print(f"{row['id']:8} {mark(right['tool']):5} {mark(right['arguments']):5} {mark(right['answer']):6} {len(calls):5} {tokens:6}  {row['question']}")
        played.append({"id": row["id"], "right": right, "calls": calls, "answer": text, "tokens": tokens})
    model.end()
    server.end()
    if options.json:
        Path(options.json).write_text("".join(json.dumps(it, ensure_ascii=False) + "\n" for it in played), encoding="utf-8")
    wrong = [it for it in played if False in it["right"].values()]
    print(f"{len(played) - len(wrong)} of {len(played)} questions answered well; {sum(len(it['calls']) for it in played)} calls, {sum(it['tokens'] for it in played)} tokens")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
