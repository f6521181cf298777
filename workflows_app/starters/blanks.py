"""Files of every kind with what the kind needs, to be filled in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from workflows_app.configs.kinds import ConfigKind


@dataclass(frozen=True, slots=True)
class Blank:
    """One way to begin a file."""

    slug: str
    title: str
    document: dict[str, Any]


USER: Final[dict[str, Any]] = {
    "port": 5050,
    "customWorkflowOverride": True,
    "customWorkflow": "",
    "discussionIdMemoryFileWorkflowSettings": "",
    "chatSummaryToolWorkflow": "",
    "workflowConfigsSubDirectoryOverride": "",
    "endpointConfigsSubDirectory": "",
    "presetConfigsSubDirectoryOverride": "",
    "chatPromptTemplateName": "_chatonly",
    "chatCompleteAddUserAssistant": False,
    "chatCompletionAddMissingAssistantGenerator": False,
    "userWideWorkflowVariables": {},
}


def _endpoint(address: str, **more: Any) -> dict[str, Any]:
    return {
        "endpoint": address,
        "apiTypeConfigFileName": "",
        "promptTemplate": None,
        "modelNameToSendToAPI": "",
        "apiKey": "",
        "maxContextTokenSize": 8192,
        **more,
    }


def _api_type(kind: str, folder: str, sizes: tuple[str | None, str | None], label: str) -> dict[str, Any]:
    return {
        "nameForDisplayOnly": label,
        "type": kind,
        "presetType": folder,
        "truncateLengthPropertyName": sizes[0],
        "maxNewTokensPropertyName": sizes[1],
        "streamPropertyName": "stream",
    }


_TURNS = ("System", "User", "Assistant")
_EMPTY_TEMPLATE = {f"promptTemplate{turn}{end}": "" for turn in _TURNS for end in ("Prefix", "Suffix")}

BLANKS: Final[dict[ConfigKind, tuple[Blank, ...]]] = {
    ConfigKind.USER: (Blank("user", "A user", USER),),
    ConfigKind.ENDPOINT: (
        Blank("openai", "A server that speaks like OpenAI", _endpoint("http://127.0.0.1:8080")),
        Blank("ollama", "Ollama on this machine", _endpoint("http://127.0.0.1:11434")),
        Blank("kobold", "KoboldCpp on this machine", _endpoint("http://127.0.0.1:5001", promptTemplate="_chatonly")),
        Blank("claude", "Claude", _endpoint("https://api.anthropic.com", maxContextTokenSize=200_000)),
        Blank(
            "embeddings",
            "Embeddings",
            {key: value for key, value in _endpoint("http://127.0.0.1:8081").items() if key != "maxContextTokenSize"},
        ),
    ),
    ConfigKind.PRESET: (
        Blank("even", "Sober", {"temperature": 0.2, "top_p": 0.9}),
        Blank("lively", "Lively", {"temperature": 0.9, "top_p": 0.95}),
        Blank("empty", "Empty: the server's own", {}),
    ),
    ConfigKind.MEMORY_SETTINGS: (
        Blank(
            "vector",
            "Vector memory",
            {
                "endpointName": "",
                "preset": "",
                "lookbackStartTurn": 3,
                "useVectorForQualityMemory": True,
                "vectorMemoryWorkflowName": "",
                "vectorMemoryChunkEstimatedTokenSize": 1000,
                "vectorMemoryMaxMessagesBetweenChunks": 6,
                "embeddingEndpointName": "",
            },
        ),
        Blank(
            "file",
            "File memory",
            {
                "endpointName": "",
                "preset": "",
                "systemPrompt": "You sum up a piece of conversation in a few plain sentences.",
                "prompt": "Before it:\n[Memory_file]\n\nThe piece of conversation:\n[TextChunk]",
                "lookbackStartTurn": 3,
                "chunkEstimatedTokenSize": 1000,
                "maxMessagesBetweenChunks": 8,
            },
        ),
    ),
    ConfigKind.COMPACTOR_SETTINGS: (
        Blank(
            "compactor",
            "Compactor settings",
            {
                "endpointName": "",
                "preset": "",
                "recentContextTokens": 20000,
                "oldContextTokens": 20000,
                "oldSectionSystemPrompt": "You shorten an older part of a conversation with regard to the newest part.",
                "oldSectionPrompt": "The newest part:\n[RECENT_MESSAGES]\n\nShorten this:\n[MESSAGES_TO_SUMMARIZE]",
                "neutralSummarySystemPrompt": "You shorten a part of a conversation; nothing important is lost.",
                "neutralSummaryPrompt": "[MESSAGES_TO_SUMMARIZE]",
                "oldestUpdateSystemPrompt": "You keep a summary and work new events into it.",
                "oldestUpdatePrompt": "The summary:\n[EXISTING_SUMMARY]\n\nNew:\n[NEW_CONTENT]",
            },
        ),
    ),
    ConfigKind.ROUTING: (
        Blank(
            "routing",
            "Two categories",
            {
                "CODE": {"workflow": "_DefaultWorkflow", "description": "Questions about programs and code"},
                "OTHER": {"workflow": "_DefaultWorkflow", "description": "Everything else"},
            },
        ),
    ),
    ConfigKind.API_TYPE: (
        Blank(
            "chat",
            "OpenAI-compatible chat",
            _api_type("openAIChatCompletion", "OpenAI-Compatible", (None, "max_tokens"), "OpenAI-compatible chat"),
        ),
        Blank(
            "completion",
            "OpenAI-compatible completions",
            _api_type("openAIV1Completion", "OpenAI-Compatible", (None, "max_tokens"), "OpenAI-compatible completions"),
        ),
        Blank("ollama", "Ollama chat", _api_type("ollamaApiChat", "Ollama", ("num_ctx", "num_predict"), "Ollama chat")),
        Blank(
            "kobold",
            "KoboldCpp",
            _api_type("koboldCppGenerate", "KoboldCpp", ("max_context_length", "max_length"), "KoboldCpp"),
        ),
        Blank("claude", "Claude messages", _api_type("claudeMessages", "Claude", (None, "max_tokens"), "Claude")),
        Blank(
            "embeddings",
            "OpenAI-compatible embeddings",
            {"nameForDisplayOnly": "OpenAI-compatible embeddings", "type": "openAIEmbeddings"},
        ),
        Blank(
            "ollama-embeddings",
            "Ollama embeddings",
            {"nameForDisplayOnly": "Ollama embeddings", "type": "ollamaEmbeddings"},
        ),
    ),
    ConfigKind.PROMPT_TEMPLATE: (
        Blank("plain", "Without any marks", {**_EMPTY_TEMPLATE, "promptTemplateEndToken": ""}),
    ),
    ConfigKind.MCP_SERVER: (
        Blank("stdio", "A program on this machine", {"transport": "stdio", "command": "", "args": [], "env": {}}),
        Blank("http", "A server", {"transport": "streamable_http", "url": "http://127.0.0.1:8000/mcp", "headers": {}}),
    ),
    ConfigKind.STRUCTURED_OUTPUT: (
        Blank(
            "object",
            "An object with one text",
            {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]},
        ),
    ),
}
