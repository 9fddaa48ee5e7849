"""Converts what MCP servers send to the shapes of hosts, SDKs and model APIs, by the program `mcp-convert` of this package."""
import atexit
import json
import os
import shutil
import subprocess
import sysconfig
import threading

_lock, _program, _owner = threading.Lock(), None, None


class ConvertError(ValueError):
    """A value that cannot be converted, or settings that are wrong."""


@atexit.register
def _end():
    global _program
    if _program is not None and _owner == os.getpid():
        _program.kill()
        _program.communicate()
        _program = None


def _ask(request):
    global _program, _owner
    line = json.dumps(request).encode() + b"\n"
    with _lock:
        # A forked process has one of its own.
        if _program is None or _owner != os.getpid() or _program.poll() is not None:
            path = shutil.which("mcp-convert", path=sysconfig.get_path("scripts")) or "mcp-convert"
            _program, _owner = subprocess.Popen([path, "--requests"], stdin=subprocess.PIPE, stdout=subprocess.PIPE), os.getpid()
        try:
            _program.stdin.write(line)
            _program.stdin.flush()
            answer = json.loads(_program.stdout.readline())
        except BaseException:
            # An answer that nobody has read is none to the next request.
            _end()
            raise
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
    """Returns a list of what the target's API rejects of an output, each with `path` and `rule`."""
    return _ask({"settings": _settings(settings), "value": output, "check": True})
