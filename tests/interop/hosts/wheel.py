"""The wheel as its users import it: one process for all calls, each with its own settings."""
import os
import sys
import threading
import time

import qortal_mcp_convert as mcp

failed = {"content": [{"type": "text", "text": "boom \U0001f600"}], "isError": True}
begun = time.perf_counter()
for call in ("c1", "c2"):
    answer = mcp.convert(failed, to="openai-chat", call_id=call)
    assert answer["output"] == {"role": "tool", "tool_call_id": call, "content": "Error: boom \U0001f600"}, answer
    assert [it["code"] for it in answer["losses"]] == ["error_flag_as_text"]
started, rounds = time.perf_counter() - begun, 1000
image = {"content": [{"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"}]}
answer = mcp.convert(image, to="langchain", for_="openai-chat", call_id="c3", tool="plot", max_chars=1000)
assert answer["follow_up"] == [{"type": "image", "base64": "aGVsbG8=", "mime_type": "image/png"}], answer
assert mcp.check(answer["output"], to="langchain") == []
for settings, why in [({"to": "nowhere"}, "nowhere"), ({"to": "langchain"}, "name it with `for`"), ({"to": "rig", "max_byte": 1}, "maxByte")]:
    try:
        mcp.convert(failed, **settings)
    except mcp.ConvertError as error:
        assert why in str(error), error
    else:
        raise AssertionError(settings)


def many(call):
    for _ in range(50):
        assert mcp.convert(failed, to="openai-chat", call_id=call)["output"]["tool_call_id"] == call
    finished.append(call)


finished = []
threads = [threading.Thread(target=many, args=(f"t{number}",)) for number in range(8)]
for it in threads:
    it.start()
for it in threads:
    it.join()
assert len(finished) == 8
if hasattr(os, "fork"):
    child = os.fork()
    if child == 0:
        os._exit(mcp.convert(failed, to="openai-chat", call_id="f")["output"]["tool_call_id"] != "f")
    assert os.waitpid(child, 0)[1] == 0
mcp._program.kill()
mcp._program.communicate()
assert mcp.convert(failed, to="openai-chat", call_id="again")["output"]["tool_call_id"] == "again"
begun = time.perf_counter()
for _ in range(rounds):
    mcp.convert(failed, to="openai-chat")
each = (time.perf_counter() - begun) / rounds
print(f"the wheel: the first two answers after {started * 1000:.1f} ms, the others {each * 1e6:.0f} µs each", file=sys.stderr)
