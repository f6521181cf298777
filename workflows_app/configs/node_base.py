"""What nodes of every type share (workflows.md §2, §3, §6.7, §8.2)."""

from __future__ import annotations

from typing import Any, Final

from workflows_app.configs.entries import ConfigModel, Templating, entry
from workflows_app.configs.kinds import Reference

NODE, MODEL, CONVERSATION, TIMES, CLEANING = "Node", "Model", "Conversation in variables", "Message times", "Answer"
WORK: Final = "What it does"


class NodeModel(ConfigModel):
    """A node of a workflow."""

    type: str = entry("Type", "What the node does; Standard when absent.", default="Standard", group=NODE)
    title: str = entry("Title", "For people and the log.", default="", group=NODE)
    agentName: str = entry("Agent name", "A label; the title wins.", default="", group=NODE)
    is_responder: bool = entry(
        "Answers the person",
        "The first node that is switched on answers; when none is, the last node does.",
        default=False,
        group=NODE,
    )
    returnToUser: bool = entry(
        "Answers the person (older name)", "Counts when is_responder is absent.", default=False, group=NODE
    )


class TemplateNode(NodeModel):
    """A node whose texts may have variables."""

    jinja2: bool = entry(
        "Texts are Jinja2 templates", "Instead of {name} in single braces.", default=False, group=CONVERSATION
    )
    nMessagesToIncludeInVariable: int = entry(
        "Messages in …_n_messages", default=5, group=CONVERSATION, templating=Templating.EARLY, low=0
    )
    estimatedTokensToIncludeInVariable: int = entry(
        "Tokens in …_estimated_token_limit", default=2048, group=CONVERSATION, templating=Templating.EARLY, low=0
    )
    minMessagesInVariable: int = entry(
        "Least messages in …_min_n_max_tokens", default=5, group=CONVERSATION, templating=Templating.EARLY, low=0
    )
    maxEstimatedTokensInVariable: int = entry(
        "Tokens in …_min_n_max_tokens", default=2048, group=CONVERSATION, templating=Templating.EARLY, low=0
    )
    addUserAssistantTags: bool = entry(
        "Put “User: ” and “Assistant: ” before messages", "In chat_… variables.", default=False, group=CONVERSATION
    )
    includeToolCallsInConversation: bool = entry("Show tool calls and their results", default=False, group=CONVERSATION)
    addDiscussionIdTimestampsForLLM: bool = entry(
        "Show message times to the model", "Only for requests with a discussion.", default=False, group=TIMES
    )
    useRelativeTimestamps: bool = entry("As “sent 5 minutes ago”", default=False, group=TIMES)
    useGroupChatTimestampLogic: bool = entry("Group chat: several speakers", default=False, group=TIMES)
    clampPromptToContextWindow: bool | None = entry(
        "Shorten the conversation to the model's context",
        "When absent, the endpoint's setting counts, then the user's.",
        group=CONVERSATION,
    )


class ModelNode(TemplateNode):
    """A node that asks a language model."""

    endpointName: str = entry(
        "Endpoint", group=MODEL, refers_to=Reference.ENDPOINT, templating=Templating.EARLY, is_needed=True
    )
    preset: str = entry(
        "Preset",
        "A preset, or an endpoint that has samplers.",
        group=MODEL,
        refers_to=Reference.PRESET,
        templating=Templating.EARLY,
        is_needed=True,
    )
    systemPrompt: str = entry("System prompt", default="", group=MODEL, templating=Templating.FULL, is_multiline=True)
    prompt: str | None = entry(
        "Prompt",
        "Empty: the conversation is sent.",
        default="",
        group=MODEL,
        templating=Templating.FULL,
        is_multiline=True,
    )
    maxResponseSizeInTokens: int = entry(
        "Answer size in tokens", default=400, group=MODEL, templating=Templating.EARLY, low=1
    )
    removeCustomTextFromResponseStart: bool = entry("Remove texts from the start", default=False, group=CLEANING)
    responseStartTextToRemove: str | list[Any] = entry(
        "Texts to remove", "The first that matches goes.", default="", group=CLEANING
    )


class StandardNode(ModelNode):
    """Asks a language model, with a prompt or with the conversation."""

    maxContextTokenSize: int = entry(
        "Context size", "Accepted, no effect: the endpoint's value counts.", group=MODEL, templating=Templating.EARLY
    )
    lastMessagesToSendInsteadOfPrompt: int = entry(
        "Messages sent without a prompt", default=5, group=MODEL, templating=Templating.EARLY, low=0
    )
    lastMessagesToSendInsteadOfPromptMaxTokenSize: int = entry(
        "Tokens sent without a prompt",
        "At least one message is sent.",
        group=MODEL,
        templating=Templating.EARLY,
        low=0,
    )
    acceptImages: bool = entry("Send pictures", default=False, group=MODEL)
    maxImagesToSend: int = entry(
        "Pictures at most", "0: all.", default=0, group=MODEL, templating=Templating.EARLY, low=0
    )
    allowTools: bool = entry("Pass the request's tools on", default=False, group=MODEL)
    appendNativeToolExchange: bool = entry("Send the last tool exchange as messages", default=False, group=MODEL)
    lowercaseToolCallFunctionNames: bool = entry("Lower-case the names of called tools", default=False, group=CLEANING)
    injectLivenessToolCall: bool = entry("Add the user's no-op tool call", default=False, group=CLEANING)
    structuredOutputFile: str = entry(
        "Output schema", "A JSON Schema the answer must follow.", group=MODEL, refers_to=Reference.STRUCTURED_OUTPUT
    )
    mergeConsecutiveAssistantMessages: bool = entry("Join neighbouring assistant messages", default=False, group=MODEL)
    mergeConsecutiveAssistantMessagesDelimiter: str = entry("Text between joined messages", default="\n", group=MODEL)
    insertUserTurnBetweenAssistantMessages: bool = entry(
        "Put a user message between neighbouring assistant messages", default=False, group=MODEL
    )
    insertedUserTurnText: str = entry("Text of that message", default="Continue.", group=MODEL)
    addUserTurnTemplate: bool = entry(
        "Wrap the prompt as a user turn", "Single-prompt endpoints.", default=False, group=MODEL
    )
    addOpenEndedAssistantTurnTemplate: bool = entry(
        "Put the assistant prefix before the prompt", "Single-prompt endpoints.", default=False, group=MODEL
    )
    forceGenerationPromptIfEndpointAllows: bool = entry(
        "Add the generation prompt", "Single-prompt endpoints.", default=False, group=MODEL
    )
    blockGenerationPrompt: bool = entry(
        "Leave the generation prompt out", "Single-prompt endpoints.", default=False, group=MODEL
    )


class ImageProcessorNode(StandardNode):
    """Lets a model describe the pictures of the conversation."""

    addAsUserMessage: bool = entry(
        "Put the descriptions into the conversation", "For all later nodes.", default=False, group=WORK
    )
    message: str = entry(
        "Inserted message",
        "[IMAGE_BLOCK] becomes the descriptions.",
        group=WORK,
        templating=Templating.FULL,
        is_multiline=True,
    )
    saveVisionResponsesToDiscussionId: bool = entry(
        "Keep descriptions with the discussion", "Only new pictures are asked about.", default=False, group=WORK
    )
    visionScanMessageLimit: int = entry(
        "Newest messages looked at", default=20, group=WORK, templating=Templating.EARLY, low=0
    )
