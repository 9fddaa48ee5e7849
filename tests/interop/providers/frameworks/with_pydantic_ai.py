"""The models of Pydantic AI."""
import asyncio
import base64

import boto3
from anthropic import AsyncAnthropic
from captured import URL, capture
from google.genai import Client
from openai import AsyncOpenAI
from pydantic_ai.messages import BinaryContent, ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.bedrock import BedrockConverseModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.bedrock import BedrockProvider
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.openai import OpenAIProvider


def held(value):
    """Bytes as the package holds them."""
    if isinstance(value, list):
        return [held(it) for it in value]
    if isinstance(value, dict) and set(value) == {"data", "media_type"}:
        return BinaryContent(base64.b64decode(value["data"]), media_type=value["media_type"])
    return value


def requests(model):
    def request(output, follow_up):
        outcome = "failed" if output["failed"] else "success"
        returned = ToolReturnPart("tool", held(output["value"]), tool_call_id="call_1", outcome=outcome)
        parts = [returned, *([UserPromptPart(held(follow_up))] if follow_up else [])]
        messages = [ModelRequest([UserPromptPart("Go")]), ModelResponse([ToolCallPart("tool", {}, tool_call_id="call_1")]), ModelRequest(parts)]
        return capture(lambda: asyncio.run(model().request(messages, None, ModelRequestParameters())))

    return request


# Models are made anew: a client is bound to the loop of its first request.
def anthropic():
    return AnthropicModel("claude-opus-4-1", provider=AnthropicProvider(anthropic_client=AsyncAnthropic(base_url=URL, api_key="k", max_retries=0)))


def openai(model):
    return lambda: model("gpt-5", provider=OpenAIProvider(openai_client=AsyncOpenAI(base_url=URL, api_key="k", max_retries=0)))


def google():
    return GoogleModel("gemini-3-pro-preview", provider=GoogleProvider(client=Client(api_key="k", http_options={"base_url": URL})))


def bedrock():
    keys = {"aws_access_key_id": "k", "aws_secret_access_key": "k", "region_name": "us-east-1"}
    client = boto3.client("bedrock-runtime", endpoint_url=URL, **keys)
    return BedrockConverseModel("us.anthropic.claude-opus-4-1-20250805-v1:0", provider=BedrockProvider(bedrock_client=client))


PROVIDERS = {
    "anthropic": requests(anthropic),
    "openai": requests(openai(OpenAIResponsesModel)),
    "openai-chat": requests(openai(OpenAIChatModel)),
    "google": requests(google),
    "bedrock": requests(bedrock),
}
