"""The starters: each a workflow that answers, what it needs to remember, and how a user is set to use it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from workflows_app.starters import nodes
from workflows_app.starters.choices import StarterChoices

Files = dict[str, Any]
"""Documents by name, in the order in which they are written: what is named comes before what names it."""


@dataclass(frozen=True, slots=True)
class Built:
    """Everything that a starter writes."""

    files: Files
    """Below the user's workflow folder, without `.json`."""
    user_values: Mapping[str, Any]
    """What the user's config needs."""


@dataclass(frozen=True, slots=True)
class Starter:
    """One usual case."""

    slug: str
    title: str
    icon: str
    text: str
    points: tuple[str, ...]
    uses_embeddings: bool
    build: Callable[[StarterChoices], Built]


def _assistant(choices: StarterChoices) -> Built:
    system = (
        "{chat_system_prompt}\n\nToday is {current_day_of_week}, {todays_date_pretty}.\n\nHow things stand:\n<state>\n"
        "{agent1Output}\n</state>\n\nMemories that may matter now:\n<memories>\n{agent3Output}\n</memories>\n\nWhere a "
        "memory contradicts how things stand, the memory is out of date."
    )
    settings = {
        **_direct(choices),
        "lookbackStartTurn": 3,
        "useVectorForQualityMemory": True,
        "vectorMemoryWorkflowName": choices.part("Facts"),
        "vectorMemoryChunkEstimatedTokenSize": 1000,
        "vectorMemoryMaxMessagesBetweenChunks": 6,
        **({"embeddingEndpointName": choices.embedding_endpoint} if choices.embedding_endpoint else {}),
        "useStateDocument": True,
        "stateDocumentWorkflowName": choices.part("State"),
    }
    main = [
        nodes.plain("How things stand", "GetCurrentStateDocument"),
        nodes.search_words(choices),
        nodes.search(choices, "{agent2Output}"),
        nodes.answer(choices, system, 12),
        nodes.plain("Remember", "QualityMemory"),
    ]
    files = {
        choices.part("Facts"): nodes.write_facts(choices),
        choices.part("State"): nodes.keep_state(choices),
        choices.part("Settings"): settings,
        choices.name: main,
    }
    return Built(files, _user(choices))


def _role_play(choices: StarterChoices) -> Built:
    system = (
        "{chat_system_prompt}\n\nThe story so far:\n<story>\n{agent1Output}\n</story>\n\nThe last scenes:\n<scenes>\n"
        "{agent2Output}\n</scenes>\n\nGo on from the newest message. Nothing that has happened is undone."
    )
    settings = {
        **_direct(choices),
        "fileMemoryWorkflowName": choices.part("Scene"),
        "lookbackStartTurn": 5,
        "chunkEstimatedTokenSize": 1500,
        "maxMessagesBetweenChunks": 12,
        "condenseMemories": True,
        "memoriesBeforeCondensation": 5,
        "memoryCondensationBuffer": 10,
    }
    main = [
        nodes.plain("The story so far", "GetCurrentSummaryFromFile"),
        nodes.plain(
            "The last scenes",
            "RecentMemorySummarizerTool",
            maxTurnsToPull=10,
            maxSummaryChunksFromFile=4,
            customDelimiter="\n\n",
        ),
        nodes.answer(choices, system, 20),
        nodes.plain("Remember, and keep the summary", "FullChatSummary"),
    ]
    files = {
        choices.part("Scene"): nodes.write_scene(choices),
        choices.part("Summary"): [nodes.summarise(choices) | {"returnToUser": True}],
        choices.part("Settings"): settings,
        choices.name: main,
    }
    return Built(files, _user(choices, chatSummaryToolWorkflow=choices.part("Summary")))


def _summary_only(choices: StarterChoices) -> Built:
    system = "{chat_system_prompt}\n\nWhat happened before:\n<summary>\n{agent1Output}\n</summary>"
    settings = {
        **_direct(choices),
        "systemPrompt": "You sum up a piece of conversation in three to five plain sentences, names and numbers kept.",
        "prompt": "The summary of everything before:\n[Chat_Summary]\n\nThe piece of conversation:\n[TextChunk]",
        "lookbackStartTurn": 3,
        "chunkEstimatedTokenSize": 2000,
        "maxMessagesBetweenChunks": 10,
    }
    main = [
        nodes.plain("What happened before", "GetCurrentSummaryFromFile"),
        nodes.answer(choices, system, 16),
        nodes.plain("Keep the summary", "FullChatSummary"),
    ]
    files = {
        choices.part("Summary"): [nodes.summarise(choices) | {"returnToUser": True}],
        choices.part("Settings"): settings,
        choices.name: main,
    }
    return Built(files, _user(choices, chatSummaryToolWorkflow=choices.part("Summary")))


def _no_memory(choices: StarterChoices) -> Built:
    files = {choices.name: [nodes.answer(choices, "{chat_system_prompt}", 30)]}
    return Built(files, {"customWorkflowOverride": True, "customWorkflow": choices.name})


def _direct(choices: StarterChoices) -> dict[str, Any]:
    """The model of everything that no workflow does."""
    return {"endpointName": choices.endpoint, "preset": choices.preset, "maxResponseSizeInTokens": 400}


def _user(choices: StarterChoices, **tools: str) -> dict[str, Any]:
    return {
        "customWorkflowOverride": True,
        "customWorkflow": choices.name,
        "discussionIdMemoryFileWorkflowSettings": choices.part("Settings"),
        **tools,
    }


STARTERS: Final = (
    Starter(
        "assistant",
        "Assistant with vector memory",
        "search",
        "For an assistant that knows you for years and looks things up.",
        (
            "Facts become memories, found by keywords and, with an embeddings endpoint, by meaning",
            "A state document says what is true now",
            "Remembers after answering, so a streamed answer does not wait",
        ),
        True,
        _assistant,
    ),
    Starter(
        "role-play",
        "Role-play with file memory",
        "book-2",
        "For long stories that go on in order.",
        (
            "A memory for each scene, old ones condensed",
            "A rolling summary of the whole story",
            "The answer sees the summary, the last scenes and the newest messages",
        ),
        False,
        _role_play,
    ),
    Starter(
        "summary",
        "Summary only",
        "notes",
        "For long chats of which the gist is enough.",
        ("One rolling summary, brought up to date after the answer", "No search and no embeddings"),
        False,
        _summary_only,
    ),
    Starter(
        "no-memory",
        "No memory",
        "message",
        "For a plain chat, or to begin a workflow of your own.",
        ("One node that answers with the newest messages", "Nothing is stored"),
        False,
        _no_memory,
    ),
)
