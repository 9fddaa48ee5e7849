"""Converts what MCP servers send to the shapes of hosts, SDKs and model APIs, by the program `mcp-convert` of this package."""
import json
import subprocess
import sysconfig
import threading
from pathlib import Path

_lock, _program = threading.Lock(), None


class ConvertError(ValueError):
    """A value that cannot be converted, or settings that are wrong."""


def _ask(request):
    global _program
    with _lock:
        if _program is None or _program.poll() is not None:
            path = Path(sysconfig.get_path("scripts")) / "mcp-convert"
            _program = subprocess.Popen([path, "--requests"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        _program.stdin.write(json.dumps(request).encode() + b"\n")
        _program.stdin.flush()
        answer = json.loads(_program.stdout.readline() or '{"error": "the program has ended"}')
    if "error" in answer:
        raise ConvertError(answer["error"])
    return answer["value"]


def _settings(settings):
    words = ((name.strip("_").split("_"), it) for name, it in settings.items())
    return {first + "".join(it.title() for it in rest): it for (first, *rest), it in words}


def convert(value, **settings):
    """Returns a dict with `output`, `losses` and, where there are any, `follow_up` and others. The settings are the program's flags:
    convert(result, to="langchain", for_="bedrock", call_id=id, tool=name)."""
    return _ask({"settings": _settings(settings), "value": value})


def check(output, **settings):
    """Returns a list of what the target's API refuses of an output, each with `path` and `rule`."""
    return _ask({"settings": _settings(settings), "value": output, "check": True})
