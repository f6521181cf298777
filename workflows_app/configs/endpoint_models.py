"""Endpoints, API types, prompt templates and MCP servers (configs.md §4, §5, §7, §8)."""

from __future__ import annotations

from typing import Any, Final

from workflows_app.configs.entries import ConfigModel, entry
from workflows_app.configs.kinds import Reference

_CONNECTION, _SAMPLERS, _PROMPT, _ANSWER = "Connection", "Samplers", "What is sent", "What comes back"
_BACKUP, _UNUSED = "When it fails", "Read by nothing"

LEVELS: Final = ("conservative", "balanced", "aggressive", "xaggressive")
EMBEDDING_TYPES: Final = ("openAIEmbeddings", "ollamaEmbeddings", "builtinEmbeddings")
CONSOLE_TYPES: Final = ("builtinExtractive", "builtinEmbeddings")
"""Stand-ins that this console brings along; WilmerAI does not know them."""
OLD_IMAGE_TYPES: Final = (
    "openAIApiChatImageSpecific",
    "ollamaApiChatImageSpecific",
    "koboldCppGenerateImageSpecific",
)
API_TYPES: Final = (
    "openAIChatCompletion",
    "claudeMessages",
    "ollamaApiChat",
    "openAIV1Completion",
    "ollamaApiGenerate",
    "koboldCppGenerate",
    "openAIEmbeddings",
    "ollamaEmbeddings",
    *OLD_IMAGE_TYPES,
    *CONSOLE_TYPES,
)
"""The wire formats that are spoken (workflows.md §8.5)."""


class EndpointConfig(ConfigModel):
    """A language model or embeddings server, and how to talk to it."""

    endpoint: str = entry(
        "Address",
        "The server's base URL; the path of the API is appended, so no /v1 at the end.",
        group=_CONNECTION,
        is_needed=True,
    )
    apiTypeConfigFileName: str = entry("API type", group=_CONNECTION, refers_to=Reference.API_TYPE, is_needed=True)
    modelNameToSendToAPI: str = entry(
        "Model name",
        "Sent to the server. For embeddings also the key that vectors are stored under: changing it means embedding "
        "again.",
        default="",
        group=_CONNECTION,
    )
    dontIncludeModel: bool = entry(
        "Leave the model name out",
        "Obeyed by OpenAI chat, Claude and embeddings only.",
        default=False,
        group=_CONNECTION,
    )
    apiKey: str = entry("API key", "Sent as a bearer key.", default="", group=_CONNECTION, is_secret=True)
    maxContextTokenSize: int = entry(
        "Context size in tokens",
        "Sent under the API type's name for it, if it has one; the basis of shortening conversations.",
        group=_CONNECTION,
        low=1,
    )
    presetSamplers: dict[str, Any] = entry(
        "Samplers", "In neutral names. Makes this endpoint usable as a preset.", default={}, group=_SAMPLERS
    )
    appendPresetName: str = entry(
        "Preset laid over the samplers",
        "Always a preset file, never an endpoint.",
        default="",
        group=_SAMPLERS,
        refers_to=Reference.PRESET,
    )
    promptTemplate: str | None = entry(
        "Prompt template",
        "null: the user's. The key must be there, except on embeddings endpoints.",
        group=_PROMPT,
        refers_to=Reference.PROMPT_TEMPLATE,
    )
    addGenerationPrompt: bool = entry(
        "Add a generation prompt", "On single-prompt endpoints.", default=False, group=_PROMPT
    )
    addTextToStartOfSystem: bool = entry("Put a text before the system prompt", default=False, group=_PROMPT)
    textToAddToStartOfSystem: str = entry("Text before the system prompt", default="", group=_PROMPT, is_multiline=True)
    addTextToStartOfPrompt: bool = entry("Put a text before the last user message", default=False, group=_PROMPT)
    textToAddToStartOfPrompt: str = entry(
        "Text before the last user message", default="", group=_PROMPT, is_multiline=True
    )
    addTextToStartOfCompletion: bool = entry("Begin the answer with a text", default=False, group=_PROMPT)
    textToAddToStartOfCompletion: str = entry(
        "Text that begins the answer", default="", group=_PROMPT, is_multiline=True
    )
    ensureTextAddedToAssistantWhenChatCompletion: bool = entry(
        "Put that text into an assistant message", default=False, group=_PROMPT
    )
    clampPromptToContextWindow: bool = entry(
        "Shorten conversations to the context", "For nodes that do not say.", default=False, group=_PROMPT
    )
    wilmerContextEstimationLevel: str = entry(
        "Token estimation",
        "How far the careful estimate of tokens is trusted to be too high.",
        default="conservative",
        group=_PROMPT,
        choices=LEVELS,
    )
    backendSupportsToolTurns: bool = entry("The server understands tool messages", default=True, group=_PROMPT)
    removeThinking: bool = entry("Remove the think block", "Needs both tags.", default=False, group=_ANSWER)
    startThinkTag: str = entry("Opening think tag", default="", group=_ANSWER)
    endThinkTag: str = entry("Closing think tag", default="", group=_ANSWER)
    openingTagGracePeriod: int = entry(
        "Characters within which the opening tag must start", default=100, group=_ANSWER, low=0
    )
    expectOnlyClosingThinkTag: bool = entry("Only the closing tag is written", default=False, group=_ANSWER)
    removeCustomTextFromResponseStartEndpointWide: bool = entry(
        "Remove texts from the start of answers", default=False, group=_ANSWER
    )
    responseStartTextToRemoveEndpointWide: str | list[Any] = entry(
        "Texts to remove", "The first that matches goes.", default="", group=_ANSWER
    )
    trimBeginningAndEndLineBreaks: bool = entry("Trim both ends of answers", default=False, group=_ANSWER)
    backupEndpointName: str = entry(
        "Backup endpoint",
        "Asked when this one fails before the first word.",
        default="",
        group=_BACKUP,
        refers_to=Reference.ENDPOINT,
    )
    backupPresetName: str = entry(
        "Preset for the backup",
        "The same name as the node's when empty.",
        default="",
        group=_BACKUP,
        refers_to=Reference.PRESET,
    )
    allowRemoteBackup: bool = entry(
        "May be used as a backup although it is a public host", default=False, group=_BACKUP
    )
    modelNameForDisplayOnly: str = entry("Label", "For people only.", group=_UNUSED, is_unused=True)
    thinkTagText: str = entry("Think tag", group=_UNUSED, is_unused=True)


class ApiTypeConfig(ConfigModel):
    """How one kind of server wants requests written."""

    nameForDisplayOnly: str = entry("Label", default="")
    type: str = entry("Wire format", choices=API_TYPES, is_needed=True)
    presetType: str = entry("Preset folder", "Below Presets.", default="", refers_to=Reference.PRESET_TYPE)
    truncateLengthPropertyName: str | None = entry("Request key of the context size", "Empty: not sent.")
    maxNewTokensPropertyName: str | None = entry("Request key of the response size", "Empty: not sent.")
    streamPropertyName: str | None = entry("Request key of streaming", "Empty: not sent.")
    samplerFieldMap: dict[str, Any] = entry(
        "Sampler names", "Neutral name → request key; samplers without an entry are dropped.", default={}
    )
    supportsChatTemplateKwargs: bool = entry("Passes chat_template_kwargs on", default=False)
    thinking: dict[str, Any] = entry("Thinking", "mode, field and location of the thinking switch.", default={})
    structuredOutput: dict[str, Any] = entry("Structured output", "field, style and strict.", default={})


class PromptTemplateConfig(ConfigModel):
    """The texts around system, user and assistant turns on single-prompt endpoints."""

    promptTemplateSystemPrefix: str = entry("Before the system prompt", default="", is_multiline=True)
    promptTemplateSystemSuffix: str = entry("After the system prompt", default="", is_multiline=True)
    promptTemplateUserPrefix: str = entry("Before a user turn", default="", is_multiline=True)
    promptTemplateUserSuffix: str = entry("After a user turn", default="", is_multiline=True)
    promptTemplateAssistantPrefix: str = entry("Before an assistant turn", default="", is_multiline=True)
    promptTemplateAssistantSuffix: str = entry("After an assistant turn", default="", is_multiline=True)
    promptTemplateEndToken: str = entry("At the end", default="", is_multiline=True)
    promptTemplateSystemmesPrefix: str = entry("Before a later system message", default="", is_multiline=True)
    promptTemplateSystemmesSuffix: str = entry("After a later system message", default="", is_multiline=True)
    promptTemplateGenSeparator: str = entry("Separator", group=_UNUSED, is_unused=True)


class McpServerConfig(ConfigModel):
    """A tool server for MCPToolCall nodes."""

    transport: str = entry("Transport", choices=("stdio", "sse", "streamable_http"), is_needed=True)
    command: str = entry("Command", "With stdio.")
    args: list[Any] = entry("Arguments", "With stdio.", default=[])
    env: dict[str, Any] | None = entry("Environment", "With stdio. May hold secrets.", is_secret=True)
    cwd: str | None = entry("Working folder", "With stdio.", refers_to=Reference.PATH)
    url: str = entry("URL", "With sse and streamable_http.")
    headers: dict[str, Any] | None = entry("Headers", "May hold secrets.", is_secret=True)


class RoutingEntry(ConfigModel):
    """One category of a routing file."""

    workflow: str = entry("Workflow", "In the user's folder.", refers_to=Reference.WORKFLOW, is_needed=True)
    description: str = entry("Description", "What the model reads to choose.", is_needed=True, is_multiline=True)
