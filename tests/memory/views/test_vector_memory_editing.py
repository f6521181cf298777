from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from memory.types import DiscussionRef
from tests.builders import base_folder
from tests.html import fetch, fetch_partial, find, text_of, texts

Discuss = Callable[..., DiscussionRef]


def rows(public: Path, statement: str) -> list[Any]:
    with closing(sqlite3.connect(base_folder(public) / "anna/vector_memory.db")) as connection:
        return list(connection.execute(statement))


def metadata(public: Path, memory_id: int = 1) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(rows(public, f"SELECT metadata_json FROM memories WHERE id = {memory_id}")[0][0])
    return found


def set_metadata(public: Path, value: dict[str, Any]) -> None:
    with closing(sqlite3.connect(base_folder(public) / "anna/vector_memory.db")) as connection, connection:
        connection.execute("UPDATE memories SET metadata_json = ? WHERE id = 1", (json.dumps(value),))


def edit(reader: Client, ref: DiscussionRef, memory_id: int = 1, **typed: str) -> int:
    address = reverse("memory:vector-memory-edit", args=[ref, memory_id])
    form = reader.get(address).context["page"].form
    shown = {bound.name: "" if bound.value() is None else bound.value() for bound in form}
    return reader.post(address, {**shown, **typed}).status_code


def test_every_known_field_is_shown(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss()
    stored = {"title": "Tree", "entities": ["Anna", "Bo"], "key_phrases": "one phrase", "importance": 0.7, "mood": [1]}
    set_metadata(public, stored)

    form = reader.get(reverse("memory:vector-memory-edit", args=[ref, 1])).context["page"].form

    shown = {name: form[name].value() for name in ("title", "entities", "key_phrases", "importance", "other")}
    assert shown == {
        "title": "Tree",
        "entities": "Anna\nBo",
        "key_phrases": "one phrase",
        "importance": "0.7",
        "other": '{\n  "mood": [\n    1\n  ]\n}',
    }


def test_only_what_was_changed_is_changed(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss()
    stored = {
        "title": "Tree",
        "entities": ["Anna"],
        "key_phrases": "one phrase",
        "importance": 0.7,
        "mood": {"a": None},
    }
    set_metadata(public, stored)

    assert edit(reader, ref, entities="Anna\r\nBo\r\n\r\n", sentiment="calm") == 302

    text = "Anna planted tree number 1."
    assert metadata(public) == {**stored, "entities": ["Anna", "Bo"], "sentiment": "calm", "summary": text}


def test_keys_can_be_removed_and_added(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss()
    set_metadata(public, {"title": "Tree", "entities": [], "key_phrases": [], "importance": 3, "mood": "old"})

    assert edit(reader, ref, importance="", other='{"place": "Brno"}') == 302

    found = metadata(public)
    assert "importance" not in found
    assert "mood" not in found
    assert found["place"] == "Brno"


@pytest.mark.parametrize("other", ["[1]", "{", '"text"'])
def test_other_metadata_must_be_an_object(reader: Client, discuss: Discuss, public: Path, other: str) -> None:
    ref = discuss()
    before = metadata(public)

    assert edit(reader, ref, other=other) == 422
    assert metadata(public) == before


def test_effects_tell_of_embeddings(reader: Client, discuss: Discuss) -> None:
    address = reverse("memory:vector-memory-edit", args=[discuss(), 1])
    sent = {"text": "other", "title": "Tree", "preview": "1"}

    told = reader.post(address, sent, headers={"HX-Request": "true"}).content.decode()

    assert "Its embeddings of 1 model describe the old text and are dropped." in told


def test_a_memory_is_added(reader: Client, discuss: Discuss, public: Path) -> None:
    address = reverse("memory:vector-memory-add", args=[discuss(memories=1)])

    assert reader.post(address, {"text": ""}).status_code == 422
    assert reader.post(address, {"text": "A lighthouse.", "title": "Light", "topics": "coast"}).status_code == 302

    assert rows(public, "SELECT id, memory_text FROM memories WHERE id > 1") == [(2, "A lighthouse.")]
    wanted = {"title": "Light", "entities": [], "key_phrases": [], "topics": ["coast"], "summary": "A lighthouse."}
    assert metadata(public, 2) == wanted


def test_a_clash_is_asked_about(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss()
    address = reverse("memory:vector-memory-edit", args=[ref, 1])
    version = reader.get(address).context["page"].form["version"].value()
    set_metadata(public, {"title": "Theirs", "entities": [], "key_phrases": []})

    response = reader.post(address, {"text": "mine", "version": version})

    assert response.status_code == 409
    assert metadata(public)["title"] == "Theirs"


def test_several_are_deleted_with_their_number_typed(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss(memories=4)
    page = fetch(reader, reverse("memory:vector-memory-list", args=[ref]))
    chosen = [box["value"] for box in page.select("input[name=memory]")][:3]
    address = reverse("memory:vector-memory-bulk-removal", args=[ref])

    assert reader.post(address, {"memory": chosen, "count": "4"}).status_code == 422
    assert reader.post(address, {"memory": chosen, "count": "3"}).status_code == 302

    assert rows(public, "SELECT id FROM memories") == [(1,)]


def test_deleting_one_asks_first(reader: Client, discuss: Discuss, public: Path) -> None:
    box = fetch_partial(reader, reverse("memory:vector-memory-removal", args=[discuss(), 1]))

    assert texts(box, ".effect") == ["Not made again: the hash log says that their messages were processed."]
    assert len(rows(public, "SELECT id FROM memories")) == 2


def test_all_that_match_are_deleted_not_only_those_of_one_page(reader: Client, discuss: Discuss, public: Path) -> None:
    address = reverse("memory:vector-memory-list", args=[discuss(memories=12)])
    listed = fetch(reader, f"{address}?contains=number+1&size=2")
    offered = find(listed, "#memory-picks a")

    page = fetch(reader, str(offered["href"]))
    chosen = [field["value"] for field in page.select("form [name=memory]")]
    answer = reader.post(reverse("memory:vector-memory-bulk-removal", args=["anna"]), {"memory": chosen, "count": "4"})

    assert text_of(page, ".edit-original").startswith("1: ")
    assert (offered.get_text(), answer.status_code) == ("Delete all 4 that match …", 302)
    assert rows(public, "SELECT count(*) FROM memories") == [(8,)]


def test_a_form_sent_twice_asks_nothing(reader: Client, discuss: Discuss, public: Path) -> None:
    address = reverse("memory:vector-memory-edit", args=[discuss(), 1])
    form = reader.get(address).context["page"].form
    sent = {bound.name: "" if bound.value() is None else bound.value() for bound in form} | {"text": "Mine."}

    answers = [reader.post(address, sent).status_code for _ in range(2)]
    with_other_title = reader.post(address, {**sent, "title": "Another"}).status_code

    assert ([*answers, with_other_title], metadata(public)["summary"]) == ([302, 302, 409], "Mine.")
