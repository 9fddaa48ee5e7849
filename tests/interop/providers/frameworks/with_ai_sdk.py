"""The packages of the AI SDK for providers, in Node.js; NODE and NODE_PACKAGES say which, and the folder they are in."""
import json
import os
import subprocess
from pathlib import Path


def providers(framework):
    script = Path(__file__).parent.parent / "ai-sdk.mjs"
    command = [os.environ.get("NODE", "node"), script, framework, os.environ["NODE_PACKAGES"]]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def asks(provider):
        def request(output, follow_up):
            process.stdin.write(json.dumps({"provider": provider, "output": output, "follow_up": follow_up}) + "\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            if "error" in answer:
                raise RuntimeError(answer["error"])
            return answer["body"]

        return request

    return {it: asks(it) for it in ["anthropic", "openai", "openai-chat", "google", "bedrock"]}


def __getattr__(name):
    if name == "PROVIDERS":
        return providers("ai-sdk")
    raise AttributeError(name)
