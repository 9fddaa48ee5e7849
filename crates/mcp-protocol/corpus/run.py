"""Measures a converter by a vendor's outputs: run.py VENDOR COMMAND…"""
import json
import subprocess
import sys
from pathlib import Path

corpus = Path(__file__).resolve().parent
read = lambda name: json.loads((corpus / name).read_text())
inputs = {name: it["result"] for name, it in read("inputs.json")["inputs"].items()}
for server in read("servers.json")["servers"]:
    inputs |= {f"{server['package']} {server['version']} {name}": it for name, it in server["results"].items()}
outputs = [(name, it["value"]) for name, it in read(f"vendors/{sys.argv[1]}.json")["outputs"].items() if "value" in it]
lines = "".join(json.dumps(inputs[name]) + "\n" for name, _ in outputs)
answers = subprocess.run(sys.argv[2:], input=lines, capture_output=True, text=True).stdout.splitlines()
wrong = [name for (name, value), answer in zip(outputs, answers, strict=True) if json.loads(answer) != value]
print(f"{len(outputs) - len(wrong)} of {len(outputs)} equal", *wrong, sep="\n  ")
sys.exit(bool(wrong))
