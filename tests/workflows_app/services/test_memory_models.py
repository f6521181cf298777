from __future__ import annotations

from pathlib import Path

import pytest

from memory.engine.memory_settings import Target
from memory.engine.model_calls import ModelCall, Purpose, Watch, WorkflowCall
from memory.wiring import build_embedder, build_model
from tests.fakes.llm_server import FakeLlmServer, Silence
from tests.workflows_app.builders import write, write_endpoint, write_workflow
from tests.workflows_app.runs import FIRST
from workflows_app.errors import RunCancelledError


def test_memory_asks_the_endpoint_that_its_settings_name(opened: Path) -> None:
    call = ModelCall(Target("built-in", "plain", 200), "", "Anna planted leeks in March.", Purpose.FILE_MEMORY)

    assert "leeks" in (build_model().ask(call) or "")


def test_memory_runs_the_workflow_that_its_settings_name(opened: Path) -> None:
    write_workflow(opened, "Remember", FIRST)

    assert build_model().ask(WorkflowCall("Remember", ("a",), Purpose.FILE_MEMORY)) == "one"


def test_memory_gets_vectors_from_the_endpoint_that_its_settings_name(opened: Path) -> None:
    write_endpoint(opened, "Vectors", "http://127.0.0.1", modelNameToSendToAPI="words")

    embedder = build_embedder("Vectors")

    assert embedder
    assert embedder.model == "words"
    assert build_embedder("") is None


def test_cancelling_gives_up_a_silent_embeddings_server(opened: Path) -> None:
    with FakeLlmServer(Silence()) as server:
        write(opened / "Configs/ApiTypes/vectors.json", {"type": "openAIEmbeddings"})
        write_endpoint(opened, "Vectors", server.url, apiTypeConfigFileName="vectors")
        embedder = build_embedder("Vectors", Watch(is_cancelled=lambda: bool(server.seen)))

        assert embedder
        with pytest.raises(RunCancelledError):
            embedder.embed(["Anna planted leeks."])
