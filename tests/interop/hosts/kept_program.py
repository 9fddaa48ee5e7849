"""The program of a wheel, found on the path of its environment and kept for many calls."""
import json
import subprocess
import sys
import time
from pathlib import Path

program = Path(sys.executable).parent / "mcp-convert"
begun = time.perf_counter()
process = subprocess.Popen([program, "--to", "openai-chat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def convert(result):
    print(json.dumps(result), file=process.stdin, flush=True)
    return json.loads(process.stdout.readline())


failed = {"content": [{"type": "text", "text": "boom"}], "isError": True}
assert convert(failed) == {"role": "tool", "tool_call_id": "call_1", "content": "Error: boom"}
started, rounds = time.perf_counter() - begun, 1000
begun = time.perf_counter()
for _ in range(rounds):
    convert(failed)
each = (time.perf_counter() - begun) / rounds
process.stdin.close()
assert process.wait() == 0
print(f"the wheel: the first answer after {started * 1000:.1f} ms, the others {each * 1e6:.0f} µs each", file=sys.stderr)
