from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memory.results import DatabaseState, SearchMode, SearchRequest, SearchResult
from memory.stores import vector_state
from memory.stores.vector_db import VectorDatabase
from memory.stores.vector_search import merge_results, search
from memory.types import DiscussionId, DiscussionRef
from tests.memory.stores.vector_builders import DISCUSSION, NOW, REF, build_database, build_metadata, run_sql


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "vector_memory.db"


def find(path: Path, query: str, **options: object) -> SearchResult:
    request = SearchRequest(query, **options)  # type: ignore[arg-type]
    return search(VectorDatabase(path, DISCUSSION), request, now=NOW, discussion=REF)


def codes(result: SearchResult) -> list[tuple[str, str | None]]:
    return [(warning.code, warning.keyword) for warning in result.warnings]


def test_hits_have_shares_that_add_up(path: Path) -> None:
    build_database(path, [build_metadata("A heron in the tree.", title="Heron"), "A tree.", "Soil.", "Pots.", "Felt."])

    result = find(path, "heron; trees; zinc", weights=(2.0, 1.0, 1.0, 1.0, 0.5))

    first = result.hits[0]
    assert [share.keyword for share in first.shares] == ["heron", "trees"]
    assert first.shares[0].column_hits == {"title": 1, "summary": 1, "memory_text_unweighted": 1}
    assert sum(share.score for share in first.shares) == pytest.approx(first.bm25)
    assert (result.matched, result.searched, result.state) == (2, 5, DatabaseState.READY)


def test_matched_counts_more_than_the_limit(path: Path) -> None:
    build_database(path, [f"heron {number}" for number in range(30)])

    result = find(path, "heron", limit=4)

    assert (len(result.hits), result.matched) == (4, 30)
    assert find(path, "heron", limit=0).hits == ()
    assert len(find(path, "heron", limit=-1).hits) == 30


def test_search_rows_without_memory_do_not_take_places(path: Path) -> None:
    build_database(path, [f"heron {number}" for number in range(30)])
    run_sql(path, "DELETE FROM memories WHERE id < 20")

    assert [hit.memory.id for hit in find(path, "heron", limit=3).hits] == [20, 21, 22]
    assert [hit.memory.id for hit in find(path, "heron", limit=3, use_recency=True).hits] == [20, 21, 22]


@pytest.mark.parametrize(
    ("damage", "state"),
    [
        ("DROP TABLE memories_fts", DatabaseState.INDEX_BROKEN),
        ("DELETE FROM memories_fts_data", DatabaseState.INDEX_BROKEN),
        ("DELETE FROM memories_fts", DatabaseState.INDEX_BROKEN),
        ("DROP TABLE memories", DatabaseState.NOTHING_STORED),
    ],
)
def test_broken_databases_are_told_apart(path: Path, damage: str, state: DatabaseState) -> None:
    build_database(path, ["heron"])
    run_sql(path, damage)

    result = find(path, "heron")

    assert (result.hits, result.state) == ((), state)
    assert bool(result.problems) == (state is DatabaseState.INDEX_BROKEN)


def test_four_kinds_of_nothing(path: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    (tmp_path / "text.db").write_text("no database " * 100)
    build_database(path, ["heron"])

    results = [find(file, "owl") for file in (path, tmp_path / "no.db", tmp_path / "empty.db", tmp_path / "text.db")]

    expected = [DatabaseState.READY, DatabaseState.ABSENT, DatabaseState.NOTHING_STORED, DatabaseState.UNREADABLE]
    assert [result.state for result in results] == expected
    assert [len(result.problems) for result in results] == [0, 0, 0, 1]


def test_locked_database_is_a_problem(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_database(path, ["heron"])
    monkeypatch.setattr(vector_state, "READ_TIMEOUT_SECONDS", 0.01)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")

        result = find(path, "heron")

    assert result.state is DatabaseState.UNREADABLE
    assert "locked" in result.problems[0][1]


@pytest.mark.parametrize("query", ["a\x00b", "half \ud83d", "zinc; \x00"])
def test_signs_that_break_an_expression(path: Path, query: str) -> None:
    build_database(path, ["a b zinc"])

    result = find(path, query)

    assert (result.hits, codes(result)) == ((), [("unreadable-signs", None)])


def test_blank_query(path: Path) -> None:
    build_database(path, ["a"])

    result = find(path, " ; ")

    assert (result.match_text, result.keywords, result.warnings, result.searched) == ("", (), (), 1)


def test_negative_weights_are_ignored_and_said(path: Path) -> None:
    build_database(path, ["heron", "tree", "pots"])

    result = find(path, "heron", weights=(-1.0, 1.0, 1.0, 1.0, 1.0))

    assert codes(result) == [("weights-ignored", None)]
    assert result.hits == find(path, "heron").hits


def test_warnings_know_the_index(path: Path) -> None:
    build_database(path, ["gardening mira", "mira", "mira", "tree"])

    result = find(path, "garde; mira; tree gardening")

    assert codes(result) == [("prefix", "garde"), ("common-keyword", "mira"), ("phrase-not-found", "tree gardening")]


def test_expansion_marks_its_hits(path: Path) -> None:
    rows = [build_metadata("A sister.", entities=["Ylva; Idris", "sister"]), "Ylva repairs organs.", "Ylva Idris"]
    build_database(path, rows)

    result = find(path, "sister", expand_entities=True)

    assert [(hit.memory.id, hit.is_expansion, hit.rank) for hit in result.hits] == [(1, False, 1), (3, True, 2)]


def test_expansion_without_names_changes_nothing(path: Path) -> None:
    build_database(path, ["A sister."])

    assert find(path, "sister", expand_entities=True).hits == find(path, "sister").hits


def test_exact_text_finds_what_words_cannot(path: Path) -> None:
    build_database(path, ["阳台上的番茄开花了。", build_metadata("mood 🌈 gardener", title="100% _x_"), "nothing"])

    for query, ids in {"番茄": [1], "🌈": [2], "GARDEN": [2], "100%; 番茄; _x_": [2, 1], "%": [2], " ": []}.items():
        result = find(path, query, mode=SearchMode.EXACT_TEXT)
        assert [hit.memory.id for hit in result.hits] == ids
        assert (result.matched, result.searched, result.match_text) == (len(ids), 3, "")
    assert find(path, "garden; 100%", mode=SearchMode.EXACT_TEXT).hits[0].shares[1].column_hits == {"title": 1}


def test_exact_text_prefers_more_keywords_then_newer_rows(path: Path) -> None:
    build_database(path, ["番茄", "番茄 阳台", "番茄"])

    hits = find(path, "番茄; 阳台", mode=SearchMode.EXACT_TEXT, limit=2).hits

    assert [hit.memory.id for hit in hits] == [2, 3]


def test_exact_text_works_without_index(path: Path) -> None:
    build_database(path, ["heron"])
    run_sql(path, "DROP TABLE memories_fts")

    assert len(find(path, "ERO", mode=SearchMode.EXACT_TEXT, limit=-1).hits) == 1


def test_merge_orders_by_score_and_collects_problems(tmp_path: Path) -> None:
    (tmp_path / "c.db").write_text("no database " * 100)
    build_database(tmp_path / "a.db", ["heron", *["tree"] * 5])
    build_database(tmp_path / "b.db", ["heron heron", *["tree"] * 50])
    request = SearchRequest("heron, owl; heron", limit=2)
    refs = {name: DiscussionRef(DiscussionId(name)) for name in "abc"}
    results = [
        search(VectorDatabase(tmp_path / f"{name}.db", ref.discussion_id), request, now=NOW, discussion=ref)
        for name, ref in refs.items()
    ]

    merged = merge_results(request, results)

    assert [(hit.discussion.text, hit.rank) for hit in merged.hits] == [("b", 1), ("a", 2)]
    assert (merged.matched, merged.searched, merged.state) == (2, 57, DatabaseState.READY)
    assert [ref.text for ref, _ in merged.problems] == ["c"]
    assert codes(merged) == [("commas", "heron, owl")]


def test_merge_of_exact_text_prefers_more_keywords(tmp_path: Path) -> None:
    build_database(tmp_path / "a.db", ["番茄"])
    build_database(tmp_path / "b.db", ["番茄 阳台"])
    request = SearchRequest("番茄; 阳台", mode=SearchMode.EXACT_TEXT, limit=-1)
    results = [
        search(VectorDatabase(tmp_path / f"{name}.db", DiscussionId(name)), request, now=NOW, discussion=ref)
        for name, ref in {name: DiscussionRef(DiscussionId(name)) for name in "ab"}.items()
    ]

    assert [hit.discussion.text for hit in merge_results(request, results).hits] == ["b", "a"]
    assert merge_results(request, []).state is DatabaseState.ABSENT
