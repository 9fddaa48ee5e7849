"""The text of ../servers.json, from a file for each entry: assemble.py FILE…"""
import json
import sys
from pathlib import Path

entries = []
for path in sys.argv[1:]:
    entry = json.loads(Path(path).read_text())
    results = entry.pop("results")
    rows = [f"      {json.dumps(name)}: {json.dumps(it, ensure_ascii=False)}" for name, it in results.items()]
    head = json.dumps(entry)[:-1]
    entries.append("    " + head + ', "results": {\n' + ",\n".join(rows) + "\n    }}")
print('{\n  "$schema": "schema.json",\n  "servers": [\n' + ",\n".join(entries) + "\n  ]\n}")
