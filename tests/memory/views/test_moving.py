from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from memory import wiring
from memory.types import DiscussionRef
from tests.html import fetch, find, soup, text_of, texts
from tests.memory.chats import attach_chat

Discuss = Callable[..., DiscussionRef]


def url(name: str, ref: DiscussionRef, query: str = "") -> str:
    return reverse(f"memory:discussion-{name}", args=[ref]) + query


def count(ref: DiscussionRef) -> int:
    return len(wiring.open_discussion(ref).read_memories().entries)


@pytest.fixture
def ref(discuss: Discuss) -> DiscussionRef:
    ref = discuss(chunks=4)
    attach_chat(ref, 5)
    return ref


def test_rolling_back_tells_numbers_first(reader: Client, ref: DiscussionRef) -> None:
    page = fetch(reader, url("rollback", ref, "?message=3"))

    assert texts(page, ".check-list li")[0] == "2 chunks of 4 go, 2 stay."
    assert count(ref) == 4
    form = find(page, "form[method=post].form-actions")
    values = {field["name"]: field["value"] for field in form.select("input")}
    response = reader.post(form["action"], values)
    assert count(ref) == 2
    assert "Rolled back to before message 3" in fetch(reader, response["Location"]).text


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("?message=99", "The chat has 5 messages"),
        ("?chunk=9", "There is no chunk 9"),
        ("?message=1&chunk=1", "either"),
        ("?message=x", "whole number"),
    ],
)
def test_points_that_are_not_there_are_told(reader: Client, ref: DiscussionRef, query: str, problem: str) -> None:
    assert problem in text_of(fetch(reader, url("rollback", ref, query), status=422), ".field-error")


def test_a_rollback_of_another_state_is_a_clash(reader: Client, ref: DiscussionRef) -> None:
    response = reader.post(url("rollback", ref), {"chunk": "1", "digest": "old"})
    page = soup(response)
    assert (response.status_code, count(ref)) == (409, 4)
    assert "This is what goes now" in text_of(page, ".field-error")

    form = find(page, "form[method=post].form-actions")
    reader.post(form["action"], {field["name"]: field["value"] for field in form.select("input")})
    assert count(ref) == 1


def test_a_discussion_is_copied(reader: Client, ref: DiscussionRef) -> None:
    assert find(fetch(reader, url("copy", ref)), "[name=new_id]")
    values = {"new_id": "berta", "groups": ["chunks", "state"], "message": "3"}

    response = reader.post(url("copy", ref), values)
    assert response["Location"] == "/discussions/berta/"
    assert count(DiscussionRef.parse("berta")) == 2


@pytest.mark.parametrize(("new_id", "problem"), [("", "Type the new id"), ("anna", "already"), ("CON", "device")])
def test_ids_that_cannot_be_are_told(reader: Client, ref: DiscussionRef, new_id: str, problem: str) -> None:
    for name in ("copy", "rename"):
        response = reader.post(url(name, ref), {"new_id": new_id, "groups": ["chunks"]})
        assert response.status_code == 422
        assert problem in response.content.decode()


def test_a_discussion_is_renamed(reader: Client, ref: DiscussionRef) -> None:
    assert find(fetch(reader, url("rename", ref)), "[name=new_id]")["value"] == "anna"
    assert reader.post(url("rename", ref), {"new_id": "berta"})["Location"] == "/discussions/berta/"
    assert count(DiscussionRef.parse("berta")) == 4


def test_read_only_moves_nothing(reader: Client, ref: DiscussionRef, settings: Any) -> None:
    settings.WILMER_READ_ONLY = True
    values = {"new_id": "berta", "groups": ["chunks"], "chunk": "1"}

    assert [reader.post(url(name, ref), values).status_code for name in ("copy", "rename", "rollback")] == [403] * 3
    assert count(ref) == 4
