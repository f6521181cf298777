"""Memory nodes run the writer, the readers and the workflows that the user's config names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory.queries.retrieval import OpenDiscussion
from tests.fakes.llm_server import FakeLlmServer, Status
from tests.memory.services.worlds import entries, open_files
from tests.workflows_app.builders import USER, write, write_endpoint, write_workflow
from tests.workflows_app.nodes.running import output_in, prepare_run
from workflows_app.engine.events import NodeFinished, NodeStarted
from workflows_app.engine.router import answer_request
from workflows_app.errors import ModelCallError, NodeFailedError
from workflows_app.nodes.memory.config import MemoryTools
from workflows_app.nodes.registry import build_registry

TALK = tuple(f"message {number}" for number in range(1, 8))
SETTINGS = {
    "fileMemoryWorkflowName": "Remember",
    "vectorMemoryWorkflowName": "Extract",
    "maxMessagesBetweenChunks": 1,
    "chunkEstimatedTokenSize": 1,
    "lookbackStartTurn": 1,
}
REMEMBER = {"type": "StaticResponse", "content": "memory of {agent1Input}"}
MODEL_NODE = {"endpointName": "model", "preset": "plain"}


@pytest.fixture(autouse=True)
def memory_world(public: Path) -> None:
    names = {"recentMemoryToolWorkflow": "Recall", "chatSummaryToolWorkflow": "Summarise"}
    user = {**USER, "discussionIdMemoryFileWorkflowSettings": "Memory", "conversationMemoryToolWorkflow": "", **names}
    write(public / "Configs/Users/ann.json", user)
    write(public / "Configs/Workflows/ann/Memory.json", SETTINGS)
    write_workflow(public, "Remember", REMEMBER)
    write_workflow(public, "Recall", {"type": "GetCurrentMemoryFromFile", "customDelimiter": "; "})
    write_workflow(public, "Summarise", {"type": "StaticResponse", "content": "new summary"})


def run(public: Path, node: dict[str, Any], *texts: str, has_id: bool = True) -> Any:
    files = open_files(public) if has_id else None
    facilities = {OpenDiscussion: OpenDiscussion(files), MemoryTools: MemoryTools()}
    changes = {"discussion_id": "amber" if has_id else None, "facilities": facilities}
    return output_in(prepare_run(public, node, *texts, **changes))


def texts_of(public: Path) -> list[str]:
    return [entry.text for entry in open_files(public).read_memories().entries]


def test_quality_memory_writes_the_ledger_and_gives_nothing(public: Path) -> None:
    assert run(public, {"type": "QualityMemory"}, *TALK) is None
    assert texts_of(public)[0] == "memory of message 1"


def test_workflows_of_the_writer_are_told_as_children_of_the_node(public: Path) -> None:
    facilities = {OpenDiscussion: OpenDiscussion(open_files(public))}
    changes: dict[str, Any] = {"discussion_id": "amber", "facilities": facilities}
    events = list(answer_request(prepare_run(public, {"type": "QualityMemory"}, *TALK, **changes), build_registry()))

    started = [event for event in events if isinstance(event, NodeStarted)]
    assert [(event.workflow, event.path) for event in started[:2]] == [("Main", (1,)), ("Remember", (1, 1))]
    assert isinstance(events[-2], NodeFinished)


def test_quality_memory_without_a_discussion_runs_the_recall_workflow(public: Path) -> None:
    assert run(public, {"type": "QualityMemory"}, has_id=False) == "There are not yet any memories"


def test_recent_memory_writes_first_and_recalls_then(public: Path) -> None:
    said = run(public, {"type": "RecentMemory"}, *TALK)

    assert said == "; ".join(texts_of(public))
    assert said.startswith("memory of message 1; ")


def test_full_summary_starts_its_workflow_only_when_it_is_behind(public: Path) -> None:
    files = open_files(public)
    files.write_memories(entries("a", "b"))

    assert run(public, {"type": "FullChatSummary"}) == "new summary"
    files.write_summary(entries("b"))
    assert run(public, {"type": "FullChatSummary"}) == "b"


def test_summarizer_asks_for_every_batch_and_saves_it(public: Path) -> None:
    open_files(public).write_memories(entries(*"abc"))
    node = {"type": "chatSummarySummarizer", **MODEL_NODE, "prompt": "[CHAT_SUMMARY]|[LATEST_MEMORIES]"}
    with FakeLlmServer("They met.", "They left.") as server:
        write_endpoint(public, "model", server.url)
        said = run(public, {**node, "loopIfMemoriesExceed": 2, "minMemoriesPerSummary": 1})

    assert said == "They left."
    assert [entry.text for entry in open_files(public).read_summary().entries] == ["They left."]
    assert server.seen[1].body["messages"][0]["content"] == "They met.|c"


def test_failing_model_fails_the_node(public: Path) -> None:
    write(public / "Configs/Workflows/ann/Memory.json", {**SETTINGS, "fileMemoryWorkflowName": "", **MODEL_NODE})
    with FakeLlmServer(Status(400, "too hot")) as server:
        write_endpoint(public, "model", server.url)
        with pytest.raises(ModelCallError, match="too hot"):
            run(public, {"type": "QualityMemory"}, *TALK)

    assert texts_of(public) == []


def test_compactor_summarises_what_became_old(public: Path) -> None:
    write(public / "Configs/Users/ann.json", {**USER, "contextCompactorSettingsFile": "Compactor"})
    small = {"recentContextTokens": 4, "oldContextTokens": 8, "lookbackStartTurn": 1}
    write(public / "Configs/Workflows/ann/Compactor.json", {**MODEL_NODE, **small})
    with FakeLlmServer("in short") as server:
        write_endpoint(public, "model", server.url)
        said = run(public, {"type": "ContextCompactor"}, *TALK)

    assert said.startswith("<context_compactor_old>in short</context_compactor_old>")


def test_rag_works_through_the_pieces_of_its_target(public: Path) -> None:
    node = {"type": "SlowButQualityRAG", "ragTarget": "a--ChunkBreak--{b}", "ragType": "x", "prompt": "<[TextChunk]>"}
    with FakeLlmServer("one", "two") as server:
        write_endpoint(public, "model", server.url)
        said = run(public, {**node, **MODEL_NODE})

    assert said == "onetwo"
    assert [asked.body["messages"][0]["content"] for asked in server.seen] == ["<a>", "<{b}>"]
    assert texts_of(public) == []


def test_vector_search_finds_what_the_vector_path_wrote(public: Path) -> None:
    write(public / "Configs/Workflows/ann/Memory.json", {**SETTINGS, "useVectorForQualityMemory": True})
    memory = '{{"title": "Boat", "summary": "They rent a boat.", "entities": [], "key_phrases": ["boat"]}}'
    write_workflow(public, "Extract", {"type": "StaticResponse", "content": memory})

    run(public, {"type": "QualityMemory"}, *TALK)

    found = run(public, {"type": "VectorMemorySearch", "input": "boat", "limit": 1, "includeDates": True})
    assert found.endswith("] They rent a boat.")
    assert found.startswith("[")


@pytest.mark.parametrize(
    ("node", "words"),
    [
        ({"type": "ConversationMemory"}, "conversationMemoryToolWorkflow"),
        ({"type": "RecentMemorySummarizerTool", "maxTurnsToPull": 1}, "maxSummaryChunksFromFile"),
        ({"type": "ChatSummaryMemoryGatheringTool", "maxTurnsToPull": "x"}, "maxTurnsToPull"),
        ({"type": "WriteCurrentSummaryToFileAndReturnIt"}, "input"),
    ],
)
def test_what_is_missing_is_named(public: Path, node: dict[str, Any], words: str) -> None:
    with pytest.raises(NodeFailedError, match=words):
        run(public, node)
