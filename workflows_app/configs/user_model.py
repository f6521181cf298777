"""User configs (configs.md §3)."""

from __future__ import annotations

from typing import Any

from workflows_app.configs.entries import ConfigModel, entry
from workflows_app.configs.kinds import Reference

_WORKFLOWS, _MEMORY, _FOLDERS = "Which workflow answers", "Memory", "Folders"
_CONVERSATION, _SERVER, _SERVICES, _UNUSED = "Conversation", "Server", "Offline services", "Read by nothing"


class CurrentUserConfig(ConfigModel):
    """The user that counts when a request and the server name none."""

    currentUser: str = entry("Current user", "Name of a file in Users, without .json.", refers_to=Reference.USER)


class UserConfig(ConfigModel):
    """One user of WilmerAI: which workflows run, with which endpoints, and how the conversation is prepared."""

    customWorkflowOverride: bool = entry(
        "Always run one workflow",
        "On: the workflow below answers every request. Off: a category is chosen first.",
        default=False,
        group=_WORKFLOWS,
    )
    customWorkflow: str = entry("Workflow that always runs", default="", group=_WORKFLOWS, refers_to=Reference.WORKFLOW)
    routingConfig: str = entry(
        "Routing file",
        "The categories and the workflow of each, used when no single workflow always runs.",
        default="",
        group=_WORKFLOWS,
        refers_to=Reference.ROUTING,
    )
    categorizationWorkflow: str = entry(
        "Workflow that names the category", default="", group=_WORKFLOWS, refers_to=Reference.WORKFLOW
    )
    maxCategorizationAttempts: int = entry(
        "Attempts to name a category",
        "How often it is asked before _DefaultWorkflow runs.",
        default=1,
        group=_WORKFLOWS,
        low=1,
    )
    allowSharedWorkflows: bool = entry(
        "Offer shared workflows as models",
        "Lists the folders of shared workflows beside the user; they can be named even when this is off.",
        default=False,
        group=_WORKFLOWS,
    )
    discussionIdMemoryFileWorkflowSettings: str = entry(
        "Memory settings",
        "Needed by nodes that make memories. A file in the user's workflow folder.",
        default="",
        group=_MEMORY,
        refers_to=Reference.MEMORY_SETTINGS,
    )
    contextCompactorSettingsFile: str = entry(
        "Compactor settings",
        "Needed by ContextCompactor. A file in the user's workflow folder.",
        default="",
        group=_MEMORY,
        refers_to=Reference.COMPACTOR_SETTINGS,
    )
    chatSummaryToolWorkflow: str = entry(
        "Workflow for summaries", "Needed by FullChatSummary.", default="", group=_MEMORY, refers_to=Reference.WORKFLOW
    )
    recentMemoryToolWorkflow: str = entry(
        "Workflow for recent memories",
        "Needed by RecentMemory, and used by QualityMemory for requests without a discussion.",
        default="",
        group=_MEMORY,
        refers_to=Reference.WORKFLOW,
    )
    conversationMemoryToolWorkflow: str = entry(
        "Workflow for conversation memory",
        "Needed by ConversationMemory.",
        default="",
        group=_MEMORY,
        refers_to=Reference.WORKFLOW,
    )
    fileMemoryToolWorkflow: str = entry(
        "Workflow for file memories",
        "Read by WilmerAI, but no node uses it.",
        default="",
        group=_UNUSED,
        refers_to=Reference.WORKFLOW,
    )
    workflowConfigsSubDirectoryOverride: str = entry(
        "Workflow folder",
        "Instead of the folder named like the user.",
        default="",
        group=_FOLDERS,
        refers_to=Reference.WORKFLOW_FOLDER,
    )
    sharedWorkflowsSubDirectoryOverride: str = entry(
        "Folder of shared workflows",
        "Below Workflows; _shared when empty.",
        default="",
        group=_FOLDERS,
        refers_to=Reference.SHARED_FOLDER,
    )
    endpointConfigsSubDirectory: str = entry(
        "Endpoint folder",
        "Below Endpoints; Endpoints itself when empty.",
        default="",
        group=_FOLDERS,
        refers_to=Reference.ENDPOINT_FOLDER,
    )
    presetConfigsSubDirectoryOverride: str = entry(
        "Preset folder",
        "Below each preset type; the folder named like the user when empty.",
        default="",
        group=_FOLDERS,
        refers_to=Reference.PRESET_FOLDER,
    )
    structuredOutputConfigsSubDirectory: str = entry(
        "Output schema folder",
        "Below StructuredOutputs; the folder named like the user when empty.",
        default="",
        group=_FOLDERS,
        refers_to=Reference.SCHEMA_FOLDER,
    )
    discussionDirectory: str = entry(
        "Discussion folder",
        "Where the files of discussions are; empty for DiscussionIds of the public folder.",
        default="",
        group=_FOLDERS,
        refers_to=Reference.PATH,
    )
    sqlLiteDirectory: str = entry(
        "Lock folder",
        "Where the database of workflow locks is; empty for SqlLiteDBs of the public folder.",
        default="",
        group=_FOLDERS,
        refers_to=Reference.PATH,
    )
    chatPromptTemplateName: str = entry(
        "Prompt template of the chat",
        "Wraps conversation variables on single-prompt endpoints; _chatonly leaves plain text.",
        group=_CONVERSATION,
        refers_to=Reference.PROMPT_TEMPLATE,
        is_needed=True,
    )
    chatCompleteAddUserAssistant: bool = entry(
        "Put “User: ” and “Assistant: ” before messages",
        "Changes the hash of every message: memory made before no longer matches.",
        group=_CONVERSATION,
        is_needed=True,
    )
    chatCompletionAddMissingAssistantGenerator: bool = entry(
        "Add a last assistant message",
        "When the conversation does not end with one.",
        group=_CONVERSATION,
        is_needed=True,
    )
    separateConversationInVariables: bool = entry(
        "Join messages by a text of your own", "In conversation variables.", default=False, group=_CONVERSATION
    )
    conversationSeparationDelimiter: str = entry("Text between messages", default="\n", group=_CONVERSATION)
    userWideWorkflowVariables: dict[str, Any] = entry(
        "Variables of all workflows",
        "Names and values; a workflow's own variables win over them.",
        default={},
        group=_CONVERSATION,
    )
    clampPromptToContextWindow: bool = entry(
        "Shorten conversations to the model's context",
        "For endpoints and nodes that do not say.",
        default=False,
        group=_CONVERSATION,
    )
    livenessToolCall: dict[str, Any] | None = entry(
        "No-op tool call",
        "An object with toolName and arguments: a call that keeps tool-calling front ends going.",
        group=_CONVERSATION,
    )
    interceptOpenWebUIToolRequests: bool = entry(
        "Answer Open WebUI's tool questions with nothing", default=False, group=_CONVERSATION
    )
    port: int = entry("Port", "Used when this is the only user served.", default=5000, group=_SERVER, low=1, high=65535)
    connectTimeoutInSeconds: int = entry("Seconds to wait for a connection", default=30, group=_SERVER, low=1)
    encryptUsingApiKey: bool = entry(
        "Encrypt discussions with the bearer key",
        "Only requests that bring a key are encrypted.",
        default=False,
        group=_SERVER,
    )
    redactLogOutput: bool = entry("Keep texts out of the log", default=False, group=_SERVER)
    useFileLogging: bool = entry("Write the log to a file", default=False, group=_SERVER)
    useOfflineWikiApi: bool = entry("Use offline Wikipedia", default=False, group=_SERVICES)
    offlineWikiApiHost: str = entry("Host of offline Wikipedia", default="127.0.0.1", group=_SERVICES)
    offlineWikiApiPort: int = entry("Port of offline Wikipedia", default=5728, group=_SERVICES, low=1, high=65535)
    useOfflineResearcherApi: bool = entry("Use the offline researcher", default=False, group=_SERVICES)
    offlineResearcherApiHost: str = entry("Host of the offline researcher", default="127.0.0.1", group=_SERVICES)
    offlineResearcherApiPort: int = entry(
        "Port of the offline researcher", default=8890, group=_SERVICES, low=1, high=65535
    )
    stream: bool = entry("Stream", "The request decides.", group=_UNUSED, is_unused=True)
    defaultParallelProcessWorkflow: str = entry("Parallel workflow", group=_UNUSED, is_unused=True)
    verboseLogging: bool = entry("Verbose log", group=_UNUSED, is_unused=True)
    description: str = entry("Description", group=_UNUSED, is_unused=True)
    MCPO_URL: str = entry("MCPO URL", group=_UNUSED, is_unused=True)
