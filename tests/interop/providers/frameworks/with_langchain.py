"""The packages of LangChain for providers."""
from langchain_anthropic import ChatAnthropic
from langchain_aws.chat_models.bedrock_converse import _messages_to_bedrock
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_google_genai import ChatGoogleGenerativeAI
from langchain_openai import ChatOpenAI


def messages(output, follow_up):
    call = {"id": "call_1", "name": "tool", "args": {}}
    said = [HumanMessage("Go"), AIMessage("", tool_calls=[call]), ToolMessage(**output)]
    return said + ([HumanMessage(follow_up)] if follow_up else [])


def payload(model):
    return lambda output, follow_up: model._get_request_payload(messages(output, follow_up))


def google(output, follow_up):
    from langchain_google_genai.chat_models import _parse_chat_history

    return _parse_chat_history(messages(output, follow_up))


PROVIDERS = {
    "anthropic": payload(ChatAnthropic(model="claude-opus-4-1", api_key="k")),
    "openai": payload(ChatOpenAI(model="gpt-5", api_key="k", use_responses_api=True)),
    "openai-chat": payload(ChatOpenAI(model="gpt-5", api_key="k")),
    "google": google,
    "bedrock": lambda output, follow_up: _messages_to_bedrock(messages(output, follow_up)),
}
