from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.test import Client
from django.urls import reverse

from memory import wiring
from memory.types import DiscussionRef
from tests.builders import hash_of
from tests.html import fetch, find, texts

Discuss = Callable[..., DiscussionRef]


def url(ref: DiscussionRef, code: str = "summary-link-lost", query: str = "") -> str:
    return reverse("memory:repair-detail", args=[ref, code]) + query


def linked(ref: DiscussionRef) -> str:
    return wiring.open_discussion(ref).read_summary().entries[-1].hash


def test_a_finding_leads_to_its_repair(reader: Client, discuss: Discuss) -> None:
    ref = discuss(summary_up_to=9)
    page = fetch(reader, reverse("memory:health-list", args=[ref]))

    assert find(page, "td .btn")["href"] == url(ref)


def test_a_repair_shows_what_follows_and_is_made(reader: Client, discuss: Discuss) -> None:
    ref = discuss(summary_up_to=9)
    page = fetch(reader, url(ref, query="?chunk=2"))
    assert texts(page, ".consequences li")
    assert linked(ref) == hash_of("message 9")

    form = find(page, "form[method=post].form-actions")
    response = reader.post(form["action"], {"chunk": find(form, "[name=chunk]")["value"]})
    assert response.status_code == 302
    assert linked(ref) == hash_of("message 2")


def test_chunks_that_are_not_there_are_told(reader: Client, discuss: Discuss) -> None:
    ref = discuss(summary_up_to=9)

    assert "There is no chunk 8" in fetch(reader, url(ref, query="?chunk=8")).text
    assert reader.post(url(ref), {"chunk": "8"}).status_code == 422
    fetch(reader, url(ref, query="?chunk=x"), status=422)


def test_what_is_fine_leads_back(reader: Client, discuss: Discuss) -> None:
    assert reader.get(url(discuss())).status_code == 302


def test_read_only_mends_nothing(reader: Client, discuss: Discuss, settings: Any) -> None:
    ref = discuss(summary_up_to=9)
    settings.WILMER_READ_ONLY = True

    assert reader.post(url(ref), {"chunk": "1"}).status_code == 403
    assert linked(ref) == hash_of("message 9")
