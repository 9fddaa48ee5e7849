"""Mastra in front of the packages of the AI SDK."""
from frameworks.with_ai_sdk import providers

PROVIDERS = providers("mastra")
