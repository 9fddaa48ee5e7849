"""The WebAssembly module in a host that is no JavaScript: wasmtime_host.py MODULE PROGRAM. Three functions and a memory are all that
it needs: `request` makes room, `convert` answers, `length` says how long."""
import json
import subprocess
import sys
import time

from wasmtime import Engine, Instance, Module, Store


class Converter:
    def __init__(self, path):
        engine = Engine()
        module = Module.from_file(engine, path)
        self.store = Store(engine)
        self.exports = Instance(self.store, module, []).exports(self.store)

    def call(self, settings, value, check=False):
        request = json.dumps({"settings": settings, "value": value, "check": check}).encode()
        at = self.exports["request"](self.store, len(request))
        self.exports["memory"].write(self.store, request, at)
        answer = self.exports["convert"](self.store)
        length = self.exports["length"](self.store)
        answer = json.loads(self.exports["memory"].read(self.store, answer, answer + length))
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer["value"]


if __name__ == "__main__":
    module, program = sys.argv[1:]
    begun = time.perf_counter()
    converter = Converter(module)
    compiled = time.perf_counter() - begun
    results = [{"content": [{"type": "text", "text": "x" * size}], "isError": size % 2 == 1} for size in (1, 2, 1000, 1_000_000)]
    for target in ("anthropic", "openai-responses", "gemini", "copilot"):
        lines = "".join(json.dumps(it) + "\n" for it in results)
        output = subprocess.run([program, "--to", target, "--report"], input=lines, capture_output=True, text=True).stdout
        for result, line in zip(results, output.splitlines(), strict=True):
            assert converter.call({"to": target}, result) == json.loads(line), target
    begun, rounds = time.perf_counter(), 200
    for _ in range(rounds):
        converter.call({"to": "anthropic"}, results[2])
    each = (time.perf_counter() - begun) / rounds
    print(f"wasmtime in Python: compiled in {compiled * 1000:.0f} ms; 1 KB of text {each * 1e6:.0f} µs a call", file=sys.stderr)
    try:
        converter.call({"to": "nowhere"}, {})
    except ValueError as error:
        assert "nowhere" in str(error)
    else:
        raise AssertionError("an unknown target is an error")
