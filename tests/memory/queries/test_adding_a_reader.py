"""The recipe of docs/adding-a-memory-reader.md works as it is written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from memory.engine.readers import NO_MEMORIES
from memory.queries.retrieval import OpenDiscussion
from tests.memory.services.worlds import entries, open_files
from tests.recipes import list_blocks, run_code
from tests.workflows_app.builders import build_run, lay_out, write_workflow
from workflows_app.engine.events import NodeFinished
from workflows_app.engine.router import answer_request
from workflows_app.nodes.registry import build_registry

PAGE = "adding-a-memory-reader.md"
IMPORTS = """
from collections.abc import Sequence
from memory.queries.retrieval import OpenDiscussion
from memory.stores.discussion_files import DiscussionFiles
from workflows_app.engine.node import NodeContext, at_once
"""


@pytest.fixture(scope="module")
def recipe() -> dict[str, Any]:
    return run_code(PAGE, IMPORTS)


def test_the_five_oldest_memories_are_given(recipe: dict[str, Any], tmp_path: Path) -> None:
    files = open_files(tmp_path)
    files.write_memories(entries(*"abcdefg"))

    assert recipe["get_first_five_memories"](files) == "--ChunkBreak--".join("abcde")


def test_nothing_is_made_where_nothing_is(recipe: dict[str, Any], tmp_path: Path) -> None:
    read: Callable[..., str] = recipe["get_first_five_memories"]

    assert [read(files) for files in (None, open_files(tmp_path))] == [NO_MEMORIES] * 2
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_file_reads_as_nothing(recipe: dict[str, Any], tmp_path: Path) -> None:
    files = open_files(tmp_path)
    files.write_memories(entries("a"))
    files.read_memories().report.path.write_text("[{", encoding="utf-8")

    assert recipe["get_first_five_memories"](files) == NO_MEMORIES


def test_the_node_answers_a_request(recipe: dict[str, Any], tmp_path: Path) -> None:
    public = lay_out(tmp_path)
    files = open_files(tmp_path)
    files.write_memories(entries(*"abcdefg"))
    write_workflow(public, "Main", *(json.loads(block) for block in list_blocks(PAGE, "json")))
    run = build_run(public, "hi", facilities={OpenDiscussion: OpenDiscussion(files)})

    events = answer_request(run, {**build_registry(), **recipe["READERS"]})

    assert find_output(events) == "--ChunkBreak--".join("abcde")


def find_output(events: Iterable[object]) -> str:
    return next(str(event.output) for event in events if isinstance(event, NodeFinished))
