from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from django.test import Client

from tests.builders import MODEL, build_discussion
from tests.memory.api.calls import error_of, url

DATABASE = "DiscussionIds/anna/vector_memory.db"


def test_list_vector_memories_newest_first(public: Path, reader: Client) -> None:
    ref = build_discussion(public, memories=3)

    page = reader.get(url(ref, "vector-memories"), {"size": 2}).json()

    assert [item["id"] for item in page["items"]] == [3, 2]
    assert (page["total"], page["pages"], page["state"]) == (3, 2, "ready")


def test_list_vector_memories_that_contain_a_text(public: Path, reader: Client) -> None:
    ref = build_discussion(public, memories=12)

    page = reader.get(url(ref, "vector-memories"), {"contains": "NUMBER 7", "order": "oldest"}).json()

    assert [item["id"] for item in page["items"]] == [7]


def test_get_vector_memory_with_everything_stored(public: Path, reader: Client) -> None:
    ref = build_discussion(public, memories=2)

    memory = reader.get(url(ref, "vector-memories", 2)).json()

    assert (memory["text"], memory["title"]) == ("Anna planted tree number 2.", "Tree 2")
    assert (memory["entities"], memory["key_phrases"], memory["topics"]) == (["Anna"], ["garden"], [])
    assert memory["metadata"]["title"] == "Tree 2"
    assert memory["embedding_models"] == [MODEL]


def test_get_vector_memory_of_unknown_id_is_404(public: Path, reader: Client) -> None:
    ref = build_discussion(public, memories=2)

    response = reader.get(url(ref, "vector-memories", 99))

    assert (response.status_code, error_of(response)["code"]) == (404, "memory-not-found")


def test_get_vector_memory_id_must_fit_the_database(public: Path, reader: Client) -> None:
    ref = build_discussion(public)

    assert [reader.get(url(ref, "vector-memories", bad)).status_code for bad in ("x", "1.5", "9" * 40)] == [422] * 3


def test_get_vector_memory_gives_strict_json_for_odd_metadata(public: Path, reader: Client) -> None:
    ref = build_discussion(public, memories=1)
    odd = '{"title": "cut \\ud83d", "score": NaN, "deep": ' + "[" * 80 + "]" * 80 + "}"
    with closing(sqlite3.connect(public / DATABASE)) as connection, connection:
        connection.execute("UPDATE memories SET metadata_json = ?", (odd,))

    response = reader.get(url(ref, "vector-memories", 1))

    memory = json.loads(response.content, parse_constant=lambda name: (_ for _ in ()).throw(ValueError(name)))
    assert memory["title"] == "cut \ufffd"
    assert memory["metadata"]["score"] == "nan"


def test_list_vector_memories_tells_the_kinds_of_nothing_apart(public: Path, reader: Client) -> None:
    absent = build_discussion(public, "absent", memories=None)
    empty = build_discussion(public, "empty", memories=0)

    blank = build_discussion(public, "blank", memories=None)
    (public / "DiscussionIds/blank/vector_memory.db").touch()

    states = [reader.get(url(ref, "vector-memories")).json()["state"] for ref in (absent, empty, blank)]

    assert states == ["absent", "nothing-stored", "nothing-stored"]
    assert not (public / "DiscussionIds/absent/vector_memory.db").exists()


def test_list_vector_memories_of_no_database_is_an_error(public: Path, reader: Client) -> None:
    ref = build_discussion(public)
    (public / DATABASE).write_bytes(b"this is no database, whatever its name says" * 50)

    response = reader.get(url(ref, "vector-memories"))

    assert (response.status_code, error_of(response)["code"]) == (422, "damaged-file")
    assert error_of(response)["details"]["file"] == "vector_memory.db"


def test_get_vector_store_counts(public: Path, reader: Client) -> None:
    ref = build_discussion(public, memories=3)

    store = reader.get(url(ref, "vector-store")).json()

    assert (store["state"], store["memory_count"], store["embedding_counts"]) == ("ready", 3, {MODEL: 3})
    assert store["schema_generation"] == "embeddings"


def test_get_vector_store_tells_damage_without_refusing(public: Path, reader: Client) -> None:
    ref = build_discussion(public)
    (public / DATABASE).write_bytes(b"this is no database, whatever its name says" * 50)

    store = reader.get(url(ref, "vector-store")).json()

    assert store["state"] == "unreadable"
    assert store["problem"]
