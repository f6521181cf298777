"""Every client by the API types it speaks."""

from __future__ import annotations

from workflows_app.llm.claude_client import ClaudeClient
from workflows_app.llm.client import ModelClients
from workflows_app.llm.extractive_client import ExtractiveClient
from workflows_app.llm.koboldcpp_client import KoboldCppClient
from workflows_app.llm.limits import DEFAULT_LIMITS, CallLimits
from workflows_app.llm.ollama_client import OllamaClient
from workflows_app.llm.openai_client import OpenAiClient


def build_model_clients(limits: CallLimits = DEFAULT_LIMITS) -> ModelClients:
    """Clients for all servers that can answer with text, and the built-in picker of sentences."""
    open_ai, ollama = OpenAiClient(limits), OllamaClient(limits)
    return ModelClients(
        {
            "openAIChatCompletion": open_ai,
            "openAIV1Completion": open_ai,
            "claudeMessages": ClaudeClient(limits),
            "ollamaApiChat": ollama,
            "ollamaApiGenerate": ollama,
            "koboldCppGenerate": KoboldCppClient(limits),
            "builtinExtractive": ExtractiveClient(),
        }
    )
