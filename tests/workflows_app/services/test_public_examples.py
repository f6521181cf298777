"""WilmerAI's own example workflows, when its Public folder lies beside the checkout."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory.engine.hashing import hash_message
from memory.engine.messages import build_conversation
from memory.queries.chunks import get_ledger, list_chunks
from memory.queries.state_documents import get_state_document
from memory.queries.summaries import get_summary
from memory.queries.vector_memories import get_vector_store, list_vector_memories
from memory.types import DiscussionId, DiscussionRef, Message
from tests.builders import open_public_folder
from tests.conftest import SHARED
from tests.fakes.llm_server import FakeLlmServer
from tests.workflows_app.builders import BUILT_IN, write
from wilmer_site.lib.paging import PageRequest
from workflows_app.engine.node_types import NODE_TYPES
from workflows_app.queries.runs import get_node, get_run
from workflows_app.queries.workflows import list_workflows
from workflows_app.results import RunState
from workflows_app.run_results import RunDetail
from workflows_app.services.execution import execute_run
from workflows_app.services.runs import RunRequest, start_run

CONFIGS = SHARED / "wilmer-public" / "Configs"
TALK = Path(__file__).resolve().parents[3] / "sample/transcripts/allotment-diary/messages.json"
ASSISTANT, GAME = "_example_assistant_with_vector_memory", "_example_game_bot_with_file_memory"
REF = DiscussionRef(DiscussionId("examples"))
MEMORY = {"title": "Edda and the frost", "summary": "Edda covers the beans.", "entities": ["Edda"], "key_phrases": []}

pytestmark = pytest.mark.skipif(not CONFIGS.is_dir(), reason="WilmerAI's Public folder does not lie beside this one.")


@pytest.fixture
def examples(tmp_path: Path, settings: Any, db: None) -> Path:
    """A copy of the folder, open in the console, whose example users keep their files where nodes may read them."""
    public = tmp_path / "Public"
    shutil.copytree(CONFIGS, public / "Configs")
    open_public_folder(settings, public)
    settings.WILMER_IS_SAMPLE = False
    settings.WILMER_STATE_DIR = tmp_path / "state"
    settings.WILMER_NODE_FILE_FOLDERS = (str(tmp_path),)
    for name in (ASSISTANT, GAME):
        path = public / f"Configs/Users/{name}.json"
        user = json.loads(path.read_text(encoding="utf-8"))
        write(path, {**user, "userWideWorkflowVariables": {"personaDir": str(tmp_path), "gameTempDir": str(tmp_path)}})
    (tmp_path / "assistant-persona.txt").write_text("You love gardens.", encoding="utf-8")
    return public


@pytest.fixture
def server(examples: Path) -> Iterator[FakeLlmServer]:
    """A model server on loopback that all endpoints of the examples name."""
    with FakeLlmServer(answer_as_wanted) as opened:
        change_endpoints(examples, endpoint=opened.url)
        yield opened


def answer_as_wanted(body: dict[str, Any]) -> str:
    """What a good model would say to each of the prompts."""
    asked = json.dumps(body["messages"])
    if "array of json objects" in asked:
        return json.dumps([MEMORY])
    if "State Document Maintainer" in asked:
        return "## People\n- Edda has an allotment."
    if "next_response_character" in asked and "<system_instruction>" in asked:
        return "<human_character>Edda</human_character><next_response_character>Otto</next_response_character>"
    return "They talked about the beans."


def change_endpoints(public: Path, **values: Any) -> None:
    """Let all endpoints of the examples say something else."""
    for path in (public / "Configs/Endpoints/_example_users").glob("*.json"):
        write(path, {**json.loads(path.read_text(encoding="utf-8")), **values})


def run_example(user: str, workflow: str, count: int = 61) -> RunDetail:
    """Run one of the examples on the newest messages of a talk, on real files."""
    talk = json.loads(TALK.read_text(encoding="utf-8"))[:count]
    asked = RunRequest(f"{user}/{workflow}", user=user, discussion=REF.text, messages=talk, is_sandbox=False)
    run_id = start_run(asked)
    execute_run(run_id)
    return get_run(run_id)


def play_game() -> RunDetail:
    """Three turns: the first makes the memory file, with which the number of messages begins to count."""
    run_example(GAME, "Game_Workflow", 10)
    run_example(GAME, "Game_Workflow", 40)
    return run_example(GAME, "Game_Workflow", 61)


def use_built_in(public: Path) -> None:
    """Let all endpoints pick sentences instead of asking a server."""
    write(public / "Configs/ApiTypes/Built-In.json", BUILT_IN)
    change_endpoints(public, apiTypeConfigFileName="Built-In")


def load_talk(count: int) -> tuple[Message, ...]:
    """The talk as the memory layer sees it."""
    return tuple(build_conversation(json.loads(TALK.read_text(encoding="utf-8"))[:count]).messages)


def test_every_workflow_loads(examples: Path) -> None:
    files = list_workflows()

    assert len([file for file in files if file.node_count]) > 45
    assert [(file.path, file.problem) for file in files if file.problem] == []
    assert {kind for file in files for kind in file.types} <= set(NODE_TYPES)


def test_vector_memory_example_leaves_memories_and_a_state_document(server: FakeLlmServer) -> None:
    run = run_example(ASSISTANT, "CustomWorkflow-VectorMemory-Simple")

    assert (run.card.state, run.card.error) == (RunState.FINISHED, "")
    assert run.answer.strip() == "They talked about the beans."
    memories = list_vector_memories(REF, PageRequest())
    assert {memory.title for memory in memories.items} == {"Edda and the frost"}
    assert memories.total > 2
    assert get_state_document(REF, {}).text == "## People\n- Edda has an allotment."
    assert [seen.body["stream"] for seen in server.seen].count(True) == 1


def test_vector_memory_example_finds_on_the_next_turn_what_it_wrote(server: FakeLlmServer) -> None:
    run_example(ASSISTANT, "CustomWorkflow-VectorMemory-Simple", 40)
    store = get_vector_store(REF)

    run = run_example(ASSISTANT, "CustomWorkflow-VectorMemory-Simple", 42)

    assert get_vector_store(REF).memory_count == store.memory_count
    found = next(node for node in run.nodes if node.type == "VectorMemorySearch" and node.depth == 0)
    assert get_node(run.card.id, found.number).has_output
    assert "You love gardens." in json.dumps([seen.body for seen in server.seen])


def test_file_memory_example_leaves_chunks_and_a_summary(server: FakeLlmServer) -> None:
    run = play_game()

    assert (run.card.state, run.card.error) == (RunState.FINISHED, "")
    hashes = [hash_message(message) for message in load_talk(61)]
    chunks = list_chunks(REF, PageRequest(), {}, newest_first=False).items
    assert [hashes.index(chunk.hash) + 1 for chunk in chunks] == [33, 54], "seven newest messages are left out"
    assert {chunk.text for chunk in chunks} == {"They talked about the beans."}
    summary = get_summary(REF, {})
    assert (summary.text, summary.hash) == ("They talked about the beans.", chunks[-1].hash)


def test_vector_memory_example_runs_without_any_server(examples: Path) -> None:
    use_built_in(examples)

    run = run_example(ASSISTANT, "CustomWorkflow-VectorMemory-Simple")

    assert (run.card.state, run.card.error) == (RunState.FINISHED, "")
    assert get_vector_store(REF).memory_count > 2
    assert "Edda" in get_state_document(REF, {}).text


def test_file_memory_example_runs_without_any_server(examples: Path) -> None:
    use_built_in(examples)

    run = play_game()

    assert (run.card.state, run.card.error) == (RunState.FINISHED, "")
    assert get_ledger(REF, {}).total == 2
    assert get_summary(REF, {}).behind == 0
