"""The models of Strands."""
import base64

from strands.models.anthropic import AnthropicModel
from strands.models.bedrock import BedrockModel
from strands.models.gemini import GeminiModel
from strands.models.openai import OpenAIModel
from strands.models.openai_responses import OpenAIResponsesModel


def held(value, key=None):
    """Bytes as the package holds them."""
    if isinstance(value, list):
        return [held(it) for it in value]
    if isinstance(value, dict):
        return {name: base64.b64decode(it) if key == "source" and name == "bytes" else held(it, name) for name, it in value.items()}
    return value


def requests(model, method):
    def request(output, follow_up):
        use = {"toolUseId": "call_1", "name": "tool", "input": {}}
        # As its agent keeps a result: without what its client adds.
        result = {name: held(it) for name, it in output.items() if name in ("toolUseId", "status", "content")}
        messages = [
            {"role": "user", "content": [{"text": "Go"}]},
            {"role": "assistant", "content": [{"toolUse": use}]},
            {"role": "user", "content": [{"toolResult": result}, *held(follow_up)]},
        ]
        more = [None, None, {}] if method == "_format_request" and isinstance(model, GeminiModel) else []
        return getattr(model, method)(messages, *more)

    return request


PROVIDERS = {
    "anthropic": requests(AnthropicModel(model_id="claude-opus-4-1", max_tokens=1, client_args={"api_key": "k"}), "format_request"),
    "openai": requests(OpenAIResponsesModel(model_id="gpt-5", client_args={"api_key": "k"}), "_format_request"),
    "openai-chat": requests(OpenAIModel(model_id="gpt-5", client_args={"api_key": "k"}), "format_request"),
    "google": requests(GeminiModel(model_id="gemini-3-pro-preview", client_args={"api_key": "k"}), "_format_request"),
    "bedrock": requests(BedrockModel(model_id="us.anthropic.claude-opus-4-1-20250805-v1:0", region_name="us-east-1"), "_format_bedrock_messages"),
}
