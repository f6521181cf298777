from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from memory.errors import DiscussionNotFoundError
from memory.queries.discussions import count_chips, find_version, get_header, list_discussions, unlock
from memory.results import DiscussionFilter, HealthLevel
from memory.types import ApiKey, Generation
from tests.builders import API_KEY, build_discussion, build_ref, key_hash_of
from wilmer_site.lib.errors import InvalidError
from wilmer_site.lib.paging import PageRequest

pytestmark = pytest.mark.django_db
KEYS = {key_hash_of(API_KEY): API_KEY}


def listed(filter: DiscussionFilter | None = None, page: PageRequest | None = None) -> list[str]:
    found = list_discussions(filter or DiscussionFilter(sort="id"), page or PageRequest())
    return [card.ref.text for card in found.items]


def test_list_discussions_of_an_empty_folder(public: Path) -> None:
    page = list_discussions(DiscussionFilter(), PageRequest())

    assert (page.items, page.total) == ([], 0)


def test_list_discussions_gives_pages(public: Path) -> None:
    for name in ("anna", "ben", "carol"):
        build_discussion(public, name)

    page = list_discussions(DiscussionFilter(sort="id"), PageRequest(2, 2))

    assert ([card.ref.text for card in page.items], page.total) == (["carol"], 3)


def test_list_discussions_finds_text_in_any_letter_case(public: Path) -> None:
    build_discussion(public, "Výlet-京都")
    build_discussion(public, "anna")

    assert listed(DiscussionFilter(text="VÝLET")) == ["Výlet-京都"]


def test_list_discussions_takes_wildcards_literally(public: Path) -> None:
    build_discussion(public, "100%")
    build_discussion(public, "1000")

    assert listed(DiscussionFilter(text="0%")) == ["100%"]


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("id", ["anna", "ben"]),
        ("-id", ["ben", "anna"]),
        ("chunks", ["ben", "anna"]),
        ("-chunks", ["anna", "ben"]),
        ("-memories", ["ben", "anna"]),
        ("-size", ["ben", "anna"]),
        ("-health", ["anna", "ben"]),
    ],
)
def test_list_discussions_sorts(public: Path, sort: str, expected: list[str]) -> None:
    build_discussion(public, "anna", chunks=5, memories=1, summary_up_to=9)
    build_discussion(public, "ben", chunks=2, memories=200, summary_up_to=1)

    assert listed(DiscussionFilter(sort=sort)) == expected


def test_list_discussions_puts_unknown_counts_last_both_ways(public: Path) -> None:
    build_discussion(public, "locked", api_key=API_KEY, encrypted=True)
    build_discussion(public, "anna")

    assert listed(DiscussionFilter(sort="chunks"))[0] == "anna"
    assert listed(DiscussionFilter(sort="-chunks"))[0] == "anna"


@pytest.mark.parametrize(
    ("chips", "expected"),
    [
        (("locked",), ["sealed"]),
        (("plain", "keyed"), ["keyed"]),
        (("legacy",), ["flat"]),
        (("has-state",), ["keyed", "plain", "sealed"]),
        (("has-vector", "summary-behind"), ["plain"]),
        (("problems",), ["keyed"]),
    ],
)
def test_list_discussions_keeps_what_has_every_chip(public: Path, chips: tuple[str, ...], expected: list[str]) -> None:
    build_discussion(public, "plain", chunks=3, summary_up_to=2)
    build_discussion(public, "flat", layout=Generation.FLAT, memories=None, state_document=None)
    build_discussion(public, "keyed", api_key=API_KEY, summary_up_to=99, memories=None)
    build_discussion(public, "sealed", api_key=API_KEY, encrypted=True)

    found = list_discussions(DiscussionFilter(chips=chips, sort="id"), PageRequest())

    assert [card.discussion_id for card in found.items] == expected
    assert found.total == len(expected)


def test_count_chips_counts_what_each_chip_would_leave(public: Path) -> None:
    build_discussion(public, "plain")
    build_discussion(public, "keyed", api_key=API_KEY)
    build_discussion(public, "sealed", api_key=API_KEY, encrypted=True)

    everything, keyed = count_chips(DiscussionFilter()), count_chips(DiscussionFilter(chips=("keyed",)))

    assert (everything["locked"], everything["plain"], everything["keyed"]) == (1, 2, 2)
    assert (keyed["locked"], keyed["plain"]) == (1, 1)


@pytest.mark.parametrize("filter", [DiscussionFilter(sort="colour"), DiscussionFilter(chips=("blue",))])
def test_list_discussions_refuses_what_it_does_not_know(public: Path, filter: DiscussionFilter) -> None:
    with pytest.raises(InvalidError):
        list_discussions(filter, PageRequest())


def test_list_discussions_asks_no_more_of_the_database_for_more_rows(
    public: Path, django_assert_max_num_queries: object
) -> None:
    for number in range(30):
        build_discussion(public, f"d{number:02}", memories=None, summary_up_to=None)
    list_discussions(DiscussionFilter(), PageRequest())

    with django_assert_max_num_queries(6):  # type: ignore[operator]
        list_discussions(DiscussionFilter(), PageRequest())


def test_get_header_reads_the_disk(public: Path) -> None:
    ref = build_discussion(public, chunks=3, summary_up_to=1, memories=2)

    header = get_header(ref, {})

    assert (header.card.chunk_count, header.card.summary_behind, header.card.memory_count) == (3, 2, 2)
    assert (header.is_locked, header.is_unlocked, header.card.health) == (False, False, HealthLevel.OK)


def test_get_header_of_an_encrypted_discussion_without_and_with_its_key(public: Path) -> None:
    ref = build_discussion(public, api_key=API_KEY, encrypted=True, chunks=3)

    locked, opened = get_header(ref, {}), get_header(ref, KEYS)

    assert (locked.is_locked, locked.is_unlocked, locked.card.chunk_count) == (True, False, None)
    assert (opened.is_locked, opened.is_unlocked, opened.card.chunk_count) == (False, True, 3)


def test_get_header_of_an_unknown_discussion_raises(public: Path) -> None:
    with pytest.raises(DiscussionNotFoundError):
        get_header(build_ref("nobody"), {})


def test_find_version_changes_with_any_file(public: Path) -> None:
    ref = build_discussion(public)
    before = find_version(ref)

    (public / "DiscussionIds/anna/state_document.md").write_text("# Something longer than before", encoding="utf-8")

    assert before is not None
    assert find_version(ref) not in {before, None}


def test_find_version_of_a_deleted_discussion_is_none(public: Path) -> None:
    ref = build_discussion(public)
    shutil.rmtree(public / "DiscussionIds/anna")

    assert find_version(ref) is None


def test_unlock_accepts_only_the_right_key(public: Path) -> None:
    ref = build_discussion(public, api_key=API_KEY, encrypted=True)

    assert unlock(ref, API_KEY)
    assert not unlock(ref, ApiKey("another"))


def test_unlock_fails_when_the_salt_is_of_an_unknown_user(public: Path) -> None:
    ref = build_discussion(public, api_key=API_KEY, encrypted=True, user="somebody-else")

    assert not unlock(ref, API_KEY)


def test_list_discussions_claims_nothing_of_a_folder_that_is_a_link_out(public: Path, tmp_path: Path) -> None:
    build_discussion(public, "berta")
    (public / "DiscussionIds/berta").rename(tmp_path / "foreign")
    (public / "DiscussionIds/berta").symlink_to(tmp_path / "foreign")

    card = list_discussions(DiscussionFilter(), PageRequest()).items[0]

    assert (card.has_state_document, card.has_summary) == (False, False)
    assert (card.chunk_count, card.memory_count, card.health) == (None, None, HealthLevel.ERROR)
    assert [listed(DiscussionFilter(chips=(chip,))) for chip in ("has-state", "has-vector")] == [[], []]
