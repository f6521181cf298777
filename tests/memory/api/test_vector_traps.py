"""Traps V1 to V5: after a change of ours, WilmerAI's own statements work and find what is there."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from memory.stores.vector_db import VectorDatabase
from memory.types import DiscussionRef
from tests.builders import MODEL, build_discussion
from tests.memory.api.calls import url
from tests.memory.api.editing import database, post_page, search_texts, select, send
from tests.memory.services.wilmer_writer import main as write_as_wilmer

Edit = Callable[[DiscussionRef, int, str], None]
Delete = Callable[[DiscussionRef, int], None]


@pytest.fixture
def browser(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture(params=["rest", "page"])
def delete(request: pytest.FixtureRequest, writer: Client, browser: Client) -> Delete:
    if request.param == "rest":
        return lambda ref, memory_id: send(writer, "DELETE", url(ref, "vector-memories", memory_id))
    return lambda ref, memory_id: post_page(browser, "vector-memory-removal", ref, memory_id)


@pytest.fixture(params=["rest", "page"])
def edit(request: pytest.FixtureRequest, writer: Client, browser: Client) -> Edit:
    if request.param == "rest":
        return lambda ref, key, text: send(writer, "PATCH", url(ref, "vector-memories", key), {"text": text})
    return lambda ref, key, text: post_page(browser, "vector-memory-edit", ref, key, text=text)


def test_v1_the_id_of_a_deleted_memory_can_be_used_again(public: Path, delete: Delete) -> None:
    ref = build_discussion(public, memories=3)

    delete(ref, 3)

    assert write_as_wilmer(str(database(public)), 2) == 0
    assert select(public, "SELECT id, memory_text FROM memories WHERE id > 2") == [(3, "theirs 0"), (4, "theirs 1")]
    assert not VectorDatabase(database(public), ref.discussion_id).check().problem


def test_v2_the_next_memory_inherits_no_vector(public: Path, delete: Delete) -> None:
    ref = build_discussion(public, memories=3)

    delete(ref, 3)
    write_as_wilmer(str(database(public)), 1)

    assert select(public, "SELECT memory_id FROM memory_embeddings ORDER BY 1") == [(1,), (2,)]


def test_v3_search_finds_only_the_new_words(public: Path, edit: Edit, reader: Client) -> None:
    ref = build_discussion(public, memories=3)

    edit(ref, 2, "Boris repaired the telescope.")

    assert search_texts(reader, ref, "telescope") == ["Boris repaired the telescope."]
    assert len(search_texts(reader, ref, "planted")) == 2


def test_v4_text_metadata_index_and_vectors_change_together(public: Path, edit: Edit) -> None:
    ref = build_discussion(public, memories=3)
    with closing(sqlite3.connect(database(public))) as connection, connection:
        connection.execute("INSERT INTO memory_embeddings VALUES (2, 'another', 2, ?)", (b"\1" * 8,))

    edit(ref, 2, "new words")

    assert select(
        public, "SELECT memory_text, json_extract(metadata_json, '$.summary') FROM memories WHERE id = 2"
    ) == [("new words", "new words")]
    row = select(public, "SELECT summary, memory_text_unweighted, title, entities FROM memories_fts WHERE rowid = 2")
    assert row == [("new words", "new words", "Tree 2", "Anna")]
    assert select(public, "SELECT model, memory_id FROM memory_embeddings ORDER BY 2") == [(MODEL, 1), (MODEL, 3)]


def test_v4_unknown_metadata_stay(public: Path, edit: Edit) -> None:
    ref = build_discussion(public, memories=1)
    with closing(sqlite3.connect(database(public))) as connection, connection:
        connection.execute(
            "UPDATE memories SET metadata_json = json_set(metadata_json, '$.mood', json('{\"a\": [1, null]}'))"
        )

    edit(ref, 1, "new words")

    assert select(public, "SELECT json_extract(metadata_json, '$.mood') FROM memories") == [('{"a":[1,null]}',)]


def test_v5_a_writer_that_holds_the_database_is_waited_for_and_told_of(public: Path, writer: Client) -> None:
    ref = build_discussion(public, memories=1)
    with closing(sqlite3.connect(database(public))) as other:
        other.execute("BEGIN IMMEDIATE")
        response = writer.delete(url(ref, "vector-memories", 1), headers={"If-Match": "*"})

    assert (response.status_code, response.json()["error"]["code"]) == (503, "database-busy")
    assert select(public, "SELECT count(*) FROM memories") == [(1,)]


def test_adding_works_as_wilmer_adds(public: Path, writer: Client, reader: Client) -> None:
    ref = build_discussion(public, memories=None)

    answer = send(
        writer, "POST", url(ref, "vector-memories"), {"text": "A lighthouse.", "metadata": {"title": "Light"}}
    )

    assert search_texts(reader, ref, "light") == ["A lighthouse."]
    assert select(public, "SELECT id, discussion_id FROM memories") == [(answer["number"], "anna")]
    assert select(public, "SELECT count(*) FROM vector_memory_hash_log") == [(0,)]


def test_a_deleted_memory_is_made_again_only_when_the_log_is_cut(public: Path, writer: Client) -> None:
    ref = build_discussion(public, memories=2)
    log = "SELECT count(*) FROM vector_memory_hash_log"

    kept = send(writer, "DELETE", url(ref, "vector-memories", 2))
    assert [item["code"] for item in kept["consequences"]] == ["not-regenerated"]
    assert select(public, log) == [(1,)]


def test_cutting_the_log_with_a_memory(public: Path, writer: Client) -> None:
    ref = build_discussion(public, memories=3)
    with closing(sqlite3.connect(database(public))) as connection, connection:
        connection.execute("UPDATE vector_memory_hash_log SET timestamp = '2026-01-03T10:00:01+00:00'")

    answer = send(writer, "DELETE", url(ref, "vector-memories", 2) + "?cut_log=true")

    assert {item["code"] for item in answer["consequences"]} == {"reprocessed", "made-twice"}
    assert select(public, "SELECT count(*) FROM vector_memory_hash_log") == [(0,)]


def test_several_go_in_one_step_or_none(public: Path, writer: Client) -> None:
    ref = build_discussion(public, memories=4)
    address = url(ref, "vector-memories", "delete")

    wrong = writer.post(address, {"ids": [1, 9], "count": 2}, content_type="application/json")
    miscounted = writer.post(address, {"ids": [1, 2], "count": 4}, content_type="application/json")
    done = send(writer, "POST", address, {"ids": [1, 3], "count": 2})

    assert (wrong.status_code, miscounted.status_code, done["action"]) == (404, 422, "Deleted 2 vector memories")
    assert select(public, "SELECT id FROM memories") == [(2,), (4,)]


def test_an_index_that_is_broken_is_not_written_over(public: Path, writer: Client) -> None:
    ref = build_discussion(public, memories=1)
    before = database(public).read_bytes()
    database(public).write_bytes(b"no database at all" * 400)

    response = writer.patch(
        url(ref, "vector-memories", 1), {"text": "x"}, content_type="application/json", headers={"If-Match": "*"}
    )

    assert response.status_code == 422
    assert database(public).read_bytes() == b"no database at all" * 400 != before
