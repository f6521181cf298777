from __future__ import annotations

from pathlib import Path

import pytest

from memory.engine.hashing import hash_text
from memory.services.condensing import BatchChangedError, condense_memories
from memory.services.notes import CondensedEntry
from memory.types import Entry
from tests.memory.services.worlds import FakeModel, build_workshop, entries, open_files, texts_of

SETTINGS = {"condenseMemories": True, "memoriesBeforeCondensation": 2, "condenseMemoriesPrompt": "x"}


def test_the_summary_stays_linked(tmp_path: Path) -> None:
    workshop = build_workshop(tmp_path, FakeModel(lambda _: "both"), SETTINGS)
    workshop.files.write_memories(entries("a", "b", "c"))
    workshop.files.write_condensation_tracker("h1")
    workshop.files.write_summary([Entry("so far", "h2")])

    assert condense_memories(workshop).is_condensed

    assert workshop.files.read_summary().entries == (Entry("so far", "h1"),)
    assert workshop.files.read_memories().entries == (Entry("a", "h1"), Entry("both", "h3"))


def test_memories_that_came_meanwhile_are_kept(tmp_path: Path) -> None:
    def add_one(_: str) -> str:
        open_files(tmp_path).write_memories(entries("a", "b", "c"))
        return "both"

    workshop = build_workshop(tmp_path, FakeModel(add_one), SETTINGS)
    workshop.files.write_memories(entries("a", "b"))

    condense_memories(workshop)

    assert texts_of(workshop.files.read_memories().entries) == ["both", "c"]


def test_an_edit_of_the_batch_is_not_overwritten(tmp_path: Path) -> None:
    def edit(_: str) -> str:
        open_files(tmp_path).write_memories(entries("a, edited", "b"))
        return "both"

    workshop = build_workshop(tmp_path, FakeModel(edit), SETTINGS)
    workshop.files.write_memories(entries("a", "b"))

    with pytest.raises(BatchChangedError):
        condense_memories(workshop)

    assert texts_of(workshop.files.read_memories().entries) == ["a, edited", "b"]


def test_a_tracker_left_behind_by_a_crash_is_advanced(tmp_path: Path) -> None:
    workshop = build_workshop(tmp_path, FakeModel(lambda _: "again"), SETTINGS)
    workshop.files.write_memories([Entry("both", "h2"), Entry("c", "h3")])
    workshop.log.save_condensed(workshop.ref, CondensedEntry("h2", hash_text("both")))

    assert not condense_memories(workshop).is_condensed

    assert workshop.files.read_condensation_tracker().values == {"lastCondensationHash": "h2"}


def test_a_busy_discussion_is_skipped(tmp_path: Path) -> None:
    workshop = build_workshop(tmp_path, FakeModel(), SETTINGS)
    workshop.files.write_memories(entries("a", "b"))

    with open_files(tmp_path).processing(1):
        assert condense_memories(workshop).is_busy
