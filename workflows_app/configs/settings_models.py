"""Memory settings and compactor settings (configs.md §9, §10)."""

from __future__ import annotations

from workflows_app.configs.endpoint_models import LEVELS
from workflows_app.configs.entries import ConfigModel, Templating, entry
from workflows_app.configs.kinds import Reference

_WHEN, _FILE, _VECTOR, _EMBEDDING = "When memories are made", "File memories", "Vector memories", "Embeddings"
_STATE, _CONDENSING = "State document", "Condensing"


class MemorySettingsConfig(ConfigModel):
    """When memories of a discussion are made, of what size, and by which model."""

    useVectorForQualityMemory: bool = entry(
        "Make vector memories", "Off: file memories are made.", default=False, group=_WHEN
    )
    lookbackStartTurn: int = entry(
        "Newest messages left alone", "These are never put into a memory.", default=3, group=_WHEN, low=0
    )
    wilmerContextEstimationLevel: str = entry(
        "Token estimation",
        "How far the careful estimate of tokens is trusted to be too high.",
        default="conservative",
        group=_WHEN,
        choices=LEVELS,
    )
    condensationLockTimeoutSeconds: float = entry(
        "Seconds to wait for a discussion in use", "0 or less waits for ever.", default=600, group=_WHEN
    )
    chunkEstimatedTokenSize: int = entry("Tokens of a memory", default=1000, group=_FILE, low=1)
    maxMessagesBetweenChunks: int = entry("Messages of a memory at most", default=5, group=_FILE, low=1)
    endpointName: str = entry("Endpoint", group=_FILE, refers_to=Reference.ENDPOINT)
    preset: str = entry("Preset", group=_FILE, refers_to=Reference.PRESET)
    maxResponseSizeInTokens: int = entry("Answer size in tokens", default=400, group=_FILE, low=1)
    systemPrompt: str = entry(
        "System prompt",
        "May use [TextChunk], [Memory_file], [Full_Memory_file], [Chat_Summary] and variables.",
        default="",
        group=_FILE,
        templating=Templating.FULL,
        is_multiline=True,
    )
    prompt: str = entry(
        "Prompt",
        "May use [TextChunk], [Memory_file], [Full_Memory_file], [Chat_Summary] and variables.",
        default="",
        group=_FILE,
        templating=Templating.FULL,
        is_multiline=True,
    )
    fileMemoryWorkflowName: str = entry(
        "Workflow that writes a memory",
        "Instead of the prompt. Its inputs: the messages, the newest three memories, all memories, the summary.",
        default="",
        group=_FILE,
        refers_to=Reference.WORKFLOW,
    )
    vectorMemoryChunkEstimatedTokenSize: int = entry("Tokens of a memory", default=1000, group=_VECTOR, low=1)
    vectorMemoryMaxMessagesBetweenChunks: int = entry("Messages of a memory at most", default=5, group=_VECTOR, low=1)
    vectorMemoryWorkflowName: str = entry(
        "Workflow that writes vector memories",
        "Its input: the messages.",
        default="",
        group=_VECTOR,
        refers_to=Reference.WORKFLOW,
    )
    vectorMemoryEndpointName: str = entry(
        "Endpoint", "That of file memories when empty.", default="", group=_VECTOR, refers_to=Reference.ENDPOINT
    )
    vectorMemoryPreset: str = entry(
        "Preset", "That of file memories when empty.", default="", group=_VECTOR, refers_to=Reference.PRESET
    )
    vectorMemoryMaxResponseSizeInTokens: int = entry("Answer size in tokens", default=1024, group=_VECTOR, low=1)
    vectorMemoryIndexTopics: bool = entry("Search topics along with key phrases", default=False, group=_VECTOR)
    vectorMemoryLookBackTurns: int = entry(
        "Newest messages left alone (old name)", "Counts when the newer one is absent.", default=3, group=_VECTOR, low=0
    )
    embeddingEndpointName: str = entry(
        "Embeddings endpoint",
        "Empty: memories get no vectors.",
        default="",
        group=_EMBEDDING,
        refers_to=Reference.EMBEDDING_ENDPOINT,
    )
    embeddingBackfillBatchSize: int = entry(
        "Older memories embedded along with a new one", default=20, group=_EMBEDDING, low=0, is_strict=True
    )
    useStateDocument: bool = entry("Keep a state document", default=False, group=_STATE)
    stateDocumentWorkflowName: str = entry(
        "Workflow that writes it",
        "Its inputs: the new facts, the document.",
        default="",
        group=_STATE,
        refers_to=Reference.WORKFLOW,
    )
    stateDocumentMinRetentionRatio: float = entry(
        "Share of the old document a new one must keep",
        "0 switches the guard off.",
        default=0.5,
        group=_STATE,
        low=0,
        high=1,
    )
    condenseMemories: bool = entry("Condense old file memories", default=False, group=_CONDENSING)
    memoriesBeforeCondensation: int = entry("Memories condensed at a time", group=_CONDENSING, low=1)
    memoryCondensationBuffer: int = entry("Newest memories left alone", default=0, group=_CONDENSING, low=0)
    condenseMemoriesEndpointName: str = entry(
        "Endpoint", "That of file memories when empty.", default="", group=_CONDENSING, refers_to=Reference.ENDPOINT
    )
    condenseMemoriesPreset: str = entry(
        "Preset", "That of file memories when empty.", default="", group=_CONDENSING, refers_to=Reference.PRESET
    )
    condenseMemoriesMaxResponseSizeInTokens: int = entry("Answer size in tokens", default=500, group=_CONDENSING, low=1)
    condenseMemoriesSystemPrompt: str = entry(
        "System prompt",
        "Built in when absent. May use [Memories_Before_Memories_to_Condense].",
        group=_CONDENSING,
        templating=Templating.FULL,
        is_multiline=True,
    )
    condenseMemoriesPrompt: str = entry(
        "Prompt",
        "Built in when absent. Needs [MemoriesToCondense]; may use [Memories_Before_Memories_to_Condense].",
        group=_CONDENSING,
        templating=Templating.FULL,
        is_multiline=True,
    )


class CompactorSettingsConfig(ConfigModel):
    """How the part of a conversation that no longer fits is summarised."""

    endpointName: str = entry("Endpoint", refers_to=Reference.ENDPOINT, is_needed=True)
    preset: str = entry("Preset", refers_to=Reference.PRESET, is_needed=True)
    maxResponseSizeInTokens: int = entry("Answer size in tokens", default=750, low=1)
    recentContextTokens: int = entry("Tokens kept as they are", default=20000, low=1)
    oldContextTokens: int = entry("Tokens of the middle part", default=20000, low=1)
    lookbackStartTurn: int = entry("Newest messages left alone", default=5, low=0)
    wilmerContextEstimationLevel: str = entry("Token estimation", default="conservative", choices=LEVELS)
    oldSectionSystemPrompt: str = entry("Middle part: system prompt", is_multiline=True)
    oldSectionPrompt: str = entry(
        "Middle part: prompt", "Uses [MESSAGES_TO_SUMMARIZE] and [RECENT_MESSAGES].", is_multiline=True
    )
    neutralSummarySystemPrompt: str = entry("Neutral summary: system prompt", is_multiline=True)
    neutralSummaryPrompt: str = entry("Neutral summary: prompt", "Uses [MESSAGES_TO_SUMMARIZE].", is_multiline=True)
    oldestUpdateSystemPrompt: str = entry("Oldest part: system prompt", is_multiline=True)
    oldestUpdatePrompt: str = entry(
        "Oldest part: prompt", "Uses [EXISTING_SUMMARY] and [NEW_CONTENT].", is_multiline=True
    )
