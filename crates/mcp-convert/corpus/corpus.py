"""The cases of the corpus, and how outputs are compared: `from corpus import cases, same`."""
import json
from dataclasses import dataclass
from pathlib import Path

LINES = (Path(__file__).resolve().parent / "cases.jsonl").read_text(encoding="utf8").splitlines()
#: By name: language, package, version, the version of its MCP package, what its outputs leave out, and more.
VENDORS = json.loads(LINES[0])["vendors"]


@dataclass
class Case:
    """A result, and what the converter of one vendor makes of it: `value`, unless it raised an `error`."""

    name: str
    valid: bool
    result: object
    value: object
    error: object
    #: Why the preset of qortal-mcp-convert answers otherwise; None if it does not.
    differs: object

    def __str__(self):
        return self.name

    def is_answered_by(self, output, failed=False):
        """Whether a converter answers as the vendor: an error, whichever, is the answer to an error."""
        return failed == (self.error is not None) and (failed or same(output, self.value))


def cases(vendor):
    """All cases of a vendor."""
    if vendor not in VENDORS:
        raise SystemExit(f"no vendor {vendor}: use one of {', '.join(VENDORS)}")
    return [of(it, vendor) for it in map(json.loads, LINES[1:]) if vendor in it["outputs"]]


def of(case, vendor):
    output = case["outputs"][vendor]
    return Case(case["name"], case["valid"], case["result"], output.get("value"), output.get("error"), case["differs"].get(vendor))


def same(a, b):
    """Equal as JSON; texts that hold JSON are compared as such, because vendors lay it out in their own way."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(it, b[name]) for name, it in a.items())
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, str) and isinstance(b, str):
        return a == b or is_same_json(a, b)
    is_number = [isinstance(it, (int, float)) and not isinstance(it, bool) for it in (a, b)]
    if all(is_number):
        return a == b or float(a) == float(b)
    return type(a) is type(b) and a == b


def is_same_json(a, b):
    try:
        a, b = json.loads(a), json.loads(b)
    except ValueError:
        return False
    return isinstance(a, (dict, list)) and same(a, b)
