"""The developer guide's Example B: memories made by workflows of one's own, from a page's run to the files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memory.queries.chunks import list_chunks
from memory.queries.vector_memories import list_vector_memories
from memory.types import DiscussionId, DiscussionRef
from tests.fakes.llm_server import FakeLlmServer
from tests.workflows_app.builders import USER, write, write_endpoint, write_workflow
from tests.workflows_app.runs import finish_run
from wilmer_site.lib.paging import PageRequest
from workflows_app.results import RunState
from workflows_app.run_results import RunDetail

REF = DiscussionRef(DiscussionId("guide"))
ROLES = ("user", "assistant")
SENTENCES = ("Edda sowed the leeks.", "Otto mended the gate.", "Frost took the beans.", "They will sow again.")
TALK = [{"role": ROLES[at % 2], "content": SENTENCES[at % 4]} for at in range(12)]
TOPICS = "You are a topic analyzer. List the 3 most important topics discussed. Chunk: {agent1Input}"
FACTS = (
    "The original chunk is: {agent1Input}. The topics were: {agent1Output}. Generate a JSON array of memory objects."
)
TEXT = "Summarize the chunk.\n\n<chunk>\n{agent1Input}\n</chunk>\n\n<memories>\n{agent2Input}\n</memories>"
BEANS = {"title": "Beans", "summary": "Frost took the beans.", "entities": ["Edda"], "key_phrases": ["late frost"]}


def lay_out_guide(public: Path, endpoint: str, *, uses_vectors: bool) -> None:
    """The example's settings and workflows, asking one endpoint."""
    write(public / "Configs/Users/ann.json", {**USER, "discussionIdMemoryFileWorkflowSettings": "Memory"})
    names = {
        "vectorMemoryWorkflowName": "my-vector-memory-workflow",
        "fileMemoryWorkflowName": "my-file-memory-workflow",
    }
    when = {"chunkEstimatedTokenSize": 30, "vectorMemoryChunkEstimatedTokenSize": 30, "lookbackStartTurn": 2}
    write(public / "Configs/Workflows/ann/Memory.json", {"useVectorForQualityMemory": uses_vectors, **names, **when})
    asks = {"type": "Standard", "endpointName": endpoint, "preset": "plain"}
    write_workflow(public, "my-vector-memory-workflow", asks | {"prompt": TOPICS}, asks | {"prompt": FACTS})
    write_workflow(public, "my-file-memory-workflow", asks | {"prompt": TEXT, "returnToUser": True})


def run_guide(public: Path) -> RunDetail:
    """One turn on real files."""
    asked: dict[str, Any] = {"discussion": REF.text, "messages": TALK, "is_sandbox": False}
    return finish_run(public, {"type": "QualityMemory"}, {"type": "StaticResponse", "content": "Done."}, **asked)


@pytest.mark.parametrize("endpoint", ["server", "built-in"])
def test_vector_workflow_makes_memories(opened: Path, endpoint: str) -> None:
    lay_out_guide(opened, endpoint, uses_vectors=True)
    with FakeLlmServer(lambda body: json.dumps([BEANS]) if "JSON" in str(body) else "beans, frost") as server:
        write_endpoint(opened, "server", server.url)
        run = run_guide(opened)

    assert (run.card.state, run.card.error, run.answer) == (RunState.FINISHED, "", "Done.")
    memories = list_vector_memories(REF, PageRequest()).items
    assert any("Frost took the beans." in memory.text for memory in memories)
    assert all("topics were: beans, frost" in str(seen.body) for seen in server.seen[1::2])


@pytest.mark.parametrize("endpoint", ["server", "built-in"])
def test_file_workflow_makes_chunks(opened: Path, endpoint: str) -> None:
    lay_out_guide(opened, endpoint, uses_vectors=False)
    with FakeLlmServer("Frost took the beans.") as server:
        write_endpoint(opened, "server", server.url)
        run = run_guide(opened)

    assert (run.card.state, run.card.error) == (RunState.FINISHED, "")
    chunks = list_chunks(REF, PageRequest(), {}).items
    assert len(chunks) > 1
    assert any("Frost took the beans." in chunk.text for chunk in chunks)
