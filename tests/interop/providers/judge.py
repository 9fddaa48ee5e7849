"""What becomes of hostile results on their way to a provider: nothing may be raised, sent empty, refused, or missing unsaid.

judge.py FRAMEWORK PROGRAM [alone] converts the inputs with the program, hands the outputs to the framework's own packages for
providers, and judges the bodies of the requests that these make. FRAMEWORK has a file in frameworks."""
import base64
import enum
import importlib
import json
import logging
import subprocess
import sys
import warnings

from hostile import INPUTS

#: Where the result is in a body, by provider: keys to look for.
RESULTS = {
    "anthropic": lambda it: it.get("type") == "tool_result",
    "openai": lambda it: it.get("type") == "function_call_output",
    "openai-chat": lambda it: it.get("role") == "tool",
    "google": lambda it: "functionResponse" in it,
    "bedrock": lambda it: "toolResult" in it,
}
API = {"openai": "openai-responses", "google": "gemini"}


def run(program, flags, values):
    lines = "".join(json.dumps(it) + "\n" for it in values)
    output = subprocess.run([program, *flags], input=lines, capture_output=True, text=True).stdout
    return [json.loads(it) for it in output.splitlines()]


#: Of two names that the API reads, the one that its documentation has.
NAMES = {"inline_data": "inlineData", "mime_type": "mimeType", "function_response": "functionResponse"}


def plain(value):
    """The body as JSON: bytes in Base64, models of packages as their members."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if hasattr(value, "model_dump"):
        return plain(value.model_dump(by_alias=True, exclude_none=True))
    if isinstance(value, dict):
        value = {NAMES.get(name, str(name)): plain(it) for name, it in value.items() if it is not None}
        if isinstance(value.get("data"), str) and "mimeType" in value:
            value["data"] = standard(value["data"]) or value["data"]
        return value
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, (list, tuple)):
        return [plain(it) for it in value]
    return value


def walk(value):
    yield value
    for it in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from walk(it)


def standard(data):
    """The Base64 that is sent for it, whatever its spelling; none of what is none."""
    if data.startswith("data:"):
        head, _, data = data.partition(",")
        if not head.endswith(";base64"):
            return None
    data = "".join(data.split()).translate(str.maketrans("-_", "+/")).rstrip("=")
    try:
        return base64.b64encode(base64.b64decode(data + "=" * (-len(data) % 4), validate=True)).decode()
    except ValueError:
        return None


def marks(block):
    """What has to be in the request: words as they are, files as Base64."""
    if not isinstance(block, dict):
        return [], []
    resource = block.get("resource", {})
    words = [block.get("text"), resource.get("text"), block.get("title"), block.get("description")]
    words = [it.strip() for it in words if isinstance(it, str) and it.strip()]
    data = [block.get("data"), resource.get("blob")]
    return words, [it for it in map(lambda it: isinstance(it, str) and standard(it), data) if it]


def is_json(text, value):
    """Whether the structured value is what the text says, and may be sent in its place."""
    try:
        return json.loads(text) == value
    except ValueError:
        return False


def missing(result, losses, strings):
    """What of the result is neither in the request nor named as lost."""
    lost = {it.get("index") for it in losses}
    everywhere = "\n".join(strings).replace("\r\n", "\n")
    for index, block in enumerate(result["content"]):
        words, data = marks(block)
        words = [it for it in words if not is_json(it, result.get("structuredContent"))]
        if index not in lost and not all(it in everywhere for it in words + data):
            yield f"content[{index}] is neither sent nor named"
        for it in data:
            if any(it in text and len(text) > len(it) + 100 and not text.startswith("data:") for text in strings):
                yield f"content[{index}]: Base64 in a text"
    value = result.get("structuredContent")
    if value is not None and "said" in json.dumps(value) and None not in lost:
        said = [it for it in walk(value) if isinstance(it, str) and it.startswith("said-")]
        if not all(it in everywhere for it in said):
            yield "structuredContent is neither sent nor named"
    if result.get("isError") and not any("error" in it.lower() or it == "failed" for it in strings) and not lost:
        yield "the failure is neither sent nor named"


def judge(name, provider, request, program, flags):
    """Counts of what was raised, empty, refused and missing, each printed with its input."""
    found = {"raised": [], "empty": [], "refused": [], "missing": []}
    reports = run(program, ["--to", name, *flags, "--report"], INPUTS.values())
    assert len(reports) == len(INPUTS)
    bodies = []
    for (of, result), report in zip(INPUTS.items(), reports):
        try:
            body = plain(request(report["output"], report.get("follow_up", [])))
        except Exception as error:
            found["raised"].append(f"{of}: {type(error).__name__}: {str(error)[:200]}")
            continue
        results = [it for it in walk(body) if isinstance(it, dict) and RESULTS[provider](it)]
        if len(results) != 1:
            found["empty"].append(f"{of}: {len(results)} results in the request")
            continue
        bodies.append((of, results[0]))
        # As it arrives: what another number of backslashes would say is another text.
        values = list(walk(body))
        strings = [it for it in values if isinstance(it, str)] + [json.dumps(it) for it in values if isinstance(it, (int, float))]
        strings += [name for it in values if isinstance(it, dict) for name in it if name in ("error", "is_error") and it[name]]
        for text in list(strings):
            if text[:1] in "{[":
                try:
                    strings += [it for it in walk(json.loads(text)) if isinstance(it, str)]
                except ValueError:
                    pass
        found["missing"] += [f"{of}: {it}" for it in missing(result, report["losses"], strings)]
        content = [it for it in walk(results[0]) if isinstance(it, dict)]
        if any(it.get(key) in ([], "") for it in content[:3] for key in ("content", "output") if key in it) and of not in EMPTY:
            found["empty"].append(of)
        if any("octet-stream" in it for it in strings):
            found["refused"].append(f"{of}: bytes of no type")
    refusals = run(program, ["--to", API.get(provider, provider), "--check"], [it for _, it in bodies])
    found["refused"] += [f"{of}: {it}" for (of, _), it in zip(bodies, refusals, strict=True) if it]
    print(f"{name} for {provider}: {len(INPUTS)} inputs,", ", ".join(f"{len(it)} {what}" for what, it in found.items()))
    for what, rows in found.items():
        for row in rows:
            print(f"  {what}: {row}")
    return sum(map(len, found.values()))


#: Successes that say nothing.
EMPTY = {"nothing", "text_empty"}

if __name__ == "__main__":
    logging.disable()
    warnings.simplefilter("ignore")
    framework, program, *alone = sys.argv[1:]
    providers = importlib.import_module("frameworks.with_" + framework.replace("-", "_")).PROVIDERS
    sys.exit(bool(sum(judge(framework, provider, request, program, ["--for", "any" if alone else provider]) for provider, request in providers.items())))
