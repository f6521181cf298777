from __future__ import annotations

from pathlib import Path

import pytest

from memory.queries.overview import get_overview
from tests.builders import API_KEY, build_discussion, write_json

pytestmark = pytest.mark.django_db


def test_get_overview_of_an_empty_folder(public: Path) -> None:
    overview = get_overview()

    assert (overview.discussion_count, overview.chunk_count, overview.last_writes, overview.worst) == (0, 0, (), ())
    assert (overview.user, overview.public_folder) == ("recall", str(public))


def test_get_overview_adds_up(public: Path) -> None:
    build_discussion(public, "anna", chunks=3, memories=2, summary_up_to=99)
    build_discussion(public, "ben", api_key=API_KEY, encrypted=True, memories=4)

    overview = get_overview()

    assert (overview.discussion_count, overview.locked_count, overview.problem_count) == (2, 1, 1)
    assert (overview.chunk_count, overview.memory_count) == (3, 6)
    assert [card.ref.text for card in overview.worst] == ["anna"]
    assert len(overview.last_writes) == 2


def test_get_overview_counts_configs_by_kind(public: Path) -> None:
    write_json(public / "Configs/Workflows/recall/Talk.json", [])
    write_json(public / "Configs/Workflows/recall/More.json", [])

    assert get_overview().config_counts == {"Users": 1, "Workflows": 2}


def test_get_overview_without_discussions_folder_says_so(public: Path) -> None:
    (public / "DiscussionIds").rmdir()

    overview = get_overview()

    assert overview.discussion_count == 0
    assert "no discussions folder" in overview.notes[0]
