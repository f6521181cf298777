from __future__ import annotations

import csv
import io
import sqlite3
from contextlib import closing
from pathlib import Path

from django.test import Client

from tests.builders import build_discussion
from tests.memory.api.calls import ROOT, error_of, url

ALL = f"{ROOT}/search"
JSON = "application/json"


def test_search_discussion_says_why(public: Path, reader: Client) -> None:
    ref = build_discussion(public, memories=12)

    found = reader.get(url(ref, "search"), {"query": "tree number 7; garden", "limit": 3}).json()

    assert found["keywords"] == ["tree number 7", "garden"]
    assert found["match_text"] == '"tree number 7" OR "garden"'
    assert (found["hits"][0]["memory"]["id"], found["hits"][0]["rank"]) == (7, 1)
    assert {share["keyword"] for share in found["hits"][0]["shares"]} >= {"tree number 7"}
    assert (len(found["hits"]), found["matched"], found["searched"]) == (3, 12, 12)


def test_post_search_is_the_same_as_get(public: Path, reader: Client) -> None:
    ref = build_discussion(public, memories=5)
    asked = {"query": "tree", "limit": 2, "weight_title": 3}

    by_get = reader.get(url(ref, "search"), asked).json()
    by_post = reader.post(url(ref, "search"), asked, content_type=JSON).json()

    assert by_post == by_get
    assert by_get["hits"]


def test_search_takes_operators_as_text(public: Path, reader: Client) -> None:
    ref = build_discussion(public)

    for query in ('"', "AND (", "NOT", "a*", "-", ";;", "NEAR(a b)", "title:x", "日本", "\n"):
        assert reader.get(url(ref, "search"), {"query": query}).status_code == 200


def test_search_all_names_the_discussions(public: Path, reader: Client) -> None:
    build_discussion(public, "anna")
    build_discussion(public, "bob")

    everything = reader.get(ALL, {"query": "tree"}).json()
    one = reader.get(ALL, {"query": "tree", "text": "bob"}).json()

    assert {hit["discussion"] for hit in everything["hits"]} == {"anna", "bob"}
    assert {hit["discussion"] for hit in one["hits"]} == {"bob"}


def test_search_all_lists_what_could_not_be_searched(public: Path, reader: Client) -> None:
    build_discussion(public, "anna")
    build_discussion(public, "bob")
    (public / "DiscussionIds/bob/vector_memory.db").write_bytes(b"no database " * 200)

    found = reader.get(ALL, {"query": "tree"}).json()

    assert {hit["discussion"] for hit in found["hits"]} == {"anna"}
    assert [problem["discussion"] for problem in found["problems"]] == ["bob"]


def test_post_search_all_takes_a_long_query(public: Path, reader: Client) -> None:
    build_discussion(public)
    query = "; ".join(["tree", *(f"word{number}" for number in range(2_000))])[:20_000]

    found = reader.post(ALL, {"query": query}, content_type=JSON)

    assert found.status_code == 200
    assert len(found.json()["keywords"]) == 60


def test_search_with_a_broken_index_is_an_error_not_nothing(public: Path, reader: Client) -> None:
    ref = build_discussion(public)
    with closing(sqlite3.connect(public / "DiscussionIds/anna/vector_memory.db")) as connection, connection:
        connection.execute("DROP TABLE memories_fts")

    by_keyword = reader.get(url(ref, "search"), {"query": "tree"})
    by_text = reader.get(url(ref, "search"), {"query": "tree", "mode": "exact-text"})

    assert (by_keyword.status_code, error_of(by_keyword)["code"]) == (422, "damaged-file")
    assert by_text.status_code == 200
    assert by_text.json()["hits"]


def test_search_names_the_field_that_is_wrong(public: Path, reader: Client) -> None:
    ref = build_discussion(public)
    bad = {"limit": "0", "mode": "psychic", "weight_title": "nan", "weight_summary": "-1", "format": "xml"}

    for field, value in bad.items():
        response = reader.get(url(ref, "search"), {"query": "tree", field: value})

        assert response.status_code == 422
        assert field in str(error_of(response)["details"])


def test_search_without_a_query_is_422(public: Path, reader: Client) -> None:
    response = reader.get(ALL)

    assert response.status_code == 422
    assert "query" in str(error_of(response)["details"])


def test_search_as_csv_has_a_row_per_hit(public: Path, reader: Client) -> None:
    ref = build_discussion(public, memories=3)

    response = reader.get(url(ref, "search"), {"query": "tree", "format": "csv"})

    rows = list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert {row["id"] for row in rows} == {"1", "2", "3"}
    assert {row["discussion"] for row in rows} == {"anna"}


def test_search_as_csv_starts_no_formula(public: Path, reader: Client) -> None:
    ref = build_discussion(public, memories=1)
    with closing(sqlite3.connect(public / "DiscussionIds/anna/vector_memory.db")) as connection, connection:
        connection.execute("UPDATE memories SET memory_text = '=HYPERLINK(1)'")

    response = reader.get(url(ref, "search"), {"query": "tree", "format": "csv"})

    row = next(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))
    assert row["text"] == "'=HYPERLINK(1)"


def test_post_search_with_no_json_is_an_error_in_the_one_shape(public: Path, reader: Client) -> None:
    for body in ("{", "[1", '"\\ud800"', "[" * 100_000):
        response = reader.post(ALL, body, content_type=JSON)

        assert response.status_code in {400, 422}
        assert error_of(response)
