"""The packages of LlamaIndex for providers."""
import asyncio

from llama_index.core.base.llms.types import ChatMessage, MessageRole, ToolCallBlock
from llama_index.llms.anthropic.utils import messages_to_anthropic_messages
from llama_index.llms.bedrock_converse.utils import messages_to_converse_messages
from llama_index.llms.google_genai.utils import chat_message_to_gemini
from llama_index.llms.openai.utils import to_openai_message_dicts


def messages(output, follow_up):
    call = ToolCallBlock(tool_call_id="call_1", tool_name="tool", tool_kwargs={})
    more = {"tool_call_id": "call_1", "name": "tool"}
    said = [
        ChatMessage(role=MessageRole.USER, content="Go"),
        ChatMessage(role=MessageRole.ASSISTANT, blocks=[call]),
        ChatMessage(role=MessageRole.TOOL, blocks=output["blocks"], additional_kwargs=more),
    ]
    return said + ([ChatMessage(role=MessageRole.USER, blocks=follow_up)] if follow_up else [])


def openai(responses):
    return lambda *said: to_openai_message_dicts(messages(*said), model="gpt-5", is_responses_api=responses)


def google(*said):
    return [asyncio.run(chat_message_to_gemini(it, file_mode="inline", tool_id_to_name={"call_1": "tool"}))[0] for it in messages(*said)]


PROVIDERS = {
    "anthropic": lambda *said: messages_to_anthropic_messages(messages(*said)),
    "openai": openai(True),
    "openai-chat": openai(False),
    "google": google,
    "bedrock": lambda *said: messages_to_converse_messages(messages(*said), "anthropic.claude-opus-4-1-20250805-v1:0"),
}
