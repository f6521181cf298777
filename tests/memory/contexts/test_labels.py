from __future__ import annotations

from typing import get_args

import pytest

from memory.contexts.labels import (
    ARTEFACTS,
    DATABASE_STATES,
    FILE_STATES,
    GENERATIONS,
    HEALTH,
    SUMMARY_LINKS,
    Tone,
    format_id,
)
from memory.results import DatabaseState, HealthLevel, SummaryLink
from memory.types import Artefact, FileState, Generation


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain id", "plain id"),
        ("a\nb\tc\rd", "a↵b⇥c←d"),
        (" x  ", "␣x␣␣"),
        ("  ", "␣␣"),
        ("a\x07b", "a⟨U+0007⟩b"),
        ("výlet-京都", "výlet-京都"),
    ],
)
def test_an_id_shows_what_cannot_be_seen(text: str, expected: str) -> None:
    assert format_id(text) == expected


def test_every_state_has_a_word() -> None:
    assert set(ARTEFACTS) == set(Artefact)
    assert set(FILE_STATES) == set(FileState)
    assert set(GENERATIONS) == set(Generation)
    assert set(HEALTH) == set(HealthLevel)
    assert set(SUMMARY_LINKS) == set(SummaryLink)
    assert set(DATABASE_STATES) == set(DatabaseState)


def test_every_state_has_a_known_colour_and_says_what_it_means() -> None:
    tables = (FILE_STATES, GENERATIONS, HEALTH, SUMMARY_LINKS, DATABASE_STATES)
    labels = [label for table in tables for label in table.values()]

    assert {label.tone for label in labels} <= set(get_args(Tone))
    assert FILE_STATES[FileState.ABSENT].hint == "There is no such file."
    assert DATABASE_STATES[DatabaseState.ABSENT].hint.startswith("No vector memory")
