"""Blocks of conversation, each once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory.engine.hashing import hash_text
from tests.workflows_app.builders import build_run, write_workflow
from workflows_app.engine.events import NodeStarted
from workflows_app.engine.router import answer_request
from workflows_app.errors import NodeFailedError, SwitchedOffError
from workflows_app.nodes.flow.chunks import list_blocks
from workflows_app.nodes.registry import build_registry

NODE = {"type": "ConversationChunkProcessor", "id": "n", "workflowName": "Note", "chunkSize": 2, "lookbackMessages": 1}
TALK = [{"role": "user", "content": text} for text in "abcdefg"]


def texts(blocks: Any) -> list[str]:
    return ["".join(message["content"] for message in block) for block in blocks]


def test_complete_blocks_but_the_newest_messages() -> None:
    assert texts(list_blocks(TALK, [], 3, 1)) == ["abc", "def"]
    assert texts(list_blocks(TALK, [], 3, 2)) == ["abc"]


def test_newest_hash_that_still_occurs_decides() -> None:
    seen = [hash_text("b"), hash_text("gone")]

    assert texts(list_blocks(TALK, seen, 2, 0)) == ["cd", "ef"]


def test_nothing_found_starts_over() -> None:
    assert texts(list_blocks(TALK, [hash_text("gone")], 3, 0)) == ["abc", "def"]


def test_run_remembers_where_it_was(public: Path) -> None:
    write_workflow(public, "Main", {**NODE, "cursorDirectory": str(public / "cursors")})
    write_workflow(public, "Note", {"type": "StaticResponse", "content": "{agent1Input}"})

    answers, children = [], []
    for _ in range(2):
        events = list(answer_request(build_run(public, *"abcde", discussion_id="d"), build_registry()))
        answers.append(events[-1].answer)
        children.append(sum(isinstance(event, NodeStarted) and event.workflow == "Note" for event in events))

    assert children == [2, 0]
    assert answers[0].endswith("processed 2 chunk(s).")
    assert (public / "cursors/chunk_cursor_n_d.txt").read_text() == f"{hash_text('b')}\n{hash_text('d')}"


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"cursorDirectory": "/tmp/elsewhere"}, SwitchedOffError),
        ({}, NodeFailedError),
        ({"cursorDirectory": "x", "lookbackMessages": True}, NodeFailedError),
    ],
)
def test_mistakes(public: Path, changes: dict[str, Any], error: type[Exception]) -> None:
    write_workflow(public, "Main", {**NODE, **changes})

    with pytest.raises(error):
        list(answer_request(build_run(public, *"abcde", discussion_id="d"), build_registry()))
