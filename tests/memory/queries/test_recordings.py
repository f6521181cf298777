"""What WilmerAI itself wrote, when its recordings lie beside the checkout."""

from __future__ import annotations

from typing import Any

import pytest

from memory.catalogue.refresh import forget_schedule
from memory.queries.discussions import get_header, list_discussions
from memory.queries.health import iterate_checks
from memory.results import DiscussionFilter, HealthLevel
from memory.types import ApiKey, DiscussionRef
from tests.builders import key_hash_of, open_public_folder
from tests.conftest import SHARED
from wilmer_site.lib.paging import PageRequest

RECORDINGS = SHARED / "discussions"

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(not RECORDINGS.is_dir(), reason="the recordings are not beside the checkout"),
]

COUNTS = {
    "house-move-marta": (7, 39, 1),
    "stock-sync-refactor": (8, 36, 0),
    "lantern-of-ferrow": (7, 38, 1),
    "výlet-京都": (5, 12, 1),
}
"""Chunks, vector memories, chunks behind the summary."""


def open_recording(settings: Any, name: str) -> None:
    open_public_folder(settings, RECORDINGS / name / "Public")
    forget_schedule()


@pytest.mark.parametrize("name", ["nested", "keyed", "flat", "jsonl"])
def test_list_discussions_counts_recordings_truly(name: str, settings: Any) -> None:
    open_recording(settings, name)

    cards = list_discussions(DiscussionFilter(), PageRequest()).items

    assert cards
    for card in cards:
        assert (card.chunk_count, card.memory_count, card.summary_behind) == COUNTS[card.discussion_id]


@pytest.mark.parametrize("name", ["nested", "keyed", "flat", "jsonl", "encrypted"])
def test_iterate_checks_finds_recordings_sound(name: str, settings: Any) -> None:
    open_recording(settings, name)

    bad = [(ref.text, check) for ref, checks in iterate_checks() for check in checks if check.level != HealthLevel.OK]

    assert bad == []


@pytest.mark.parametrize("api_key", ["marta-bearer-key-2024", "second-person-key"])
def test_get_header_unlocks_recordings_with_their_key(api_key: str, settings: Any) -> None:
    open_recording(settings, "encrypted")
    key_hash = key_hash_of(ApiKey(api_key))
    names = [path.name for path in (RECORDINGS / "encrypted/Public/DiscussionIds" / key_hash).iterdir()]

    for name in names:
        header = get_header(DiscussionRef.parse(f"{key_hash}:{name}"), {key_hash: ApiKey(api_key)})

        assert header.is_unlocked
        assert header.card.chunk_count == COUNTS[name][0]


def test_a_folder_without_discussions_is_listed_as_empty(settings: Any) -> None:
    open_public_folder(settings, SHARED / "wilmer-public")
    forget_schedule()

    assert list_discussions(DiscussionFilter(), PageRequest()).items == []
