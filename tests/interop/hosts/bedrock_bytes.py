"""Bedrock through the AWS SDK for Python, which encodes bytes itself: bedrock_bytes.py PROGRAM. With `decoded`, as the page about
frameworks has it, the request has the bytes of the image once encoded; without it they are encoded twice."""
import base64
import json
import subprocess
import sys

import botocore.session


def decoded(value):
    if isinstance(value, list):
        return [decoded(it) for it in value]
    if isinstance(value, dict):
        return {name: base64.b64decode(it) if name == "bytes" else decoded(it) for name, it in value.items()}
    return value


def sent(block):
    """The Base64 of the image in the body of the request."""
    model = botocore.session.get_session().get_service_model("bedrock-runtime").operation_model("Converse")
    messages = [{"role": "user", "content": [block]}]
    serializer = botocore.serialize.create_serializer(model.service_model.metadata["protocol"])
    request = serializer.serialize_to_request({"modelId": "m", "messages": messages}, model)
    content = json.loads(request["body"])["messages"][0]["content"][0]["toolResult"]["content"]
    return content[0]["image"]["source"]["bytes"]


data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
result = {"content": [{"type": "image", "data": data, "mimeType": "image/png"}]}
output = subprocess.run([sys.argv[1], "--to", "bedrock"], input=json.dumps(result), capture_output=True, text=True, check=True).stdout
block = json.loads(output)
assert sent(decoded(block)) == data
assert sent(block) == base64.b64encode(data.encode()).decode(), "the SDK no longer encodes: the page says that it does"
print("botocore: the bytes of a decoded result are sent once encoded", file=sys.stderr)
