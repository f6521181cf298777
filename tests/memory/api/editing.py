"""One change, made by REST or on its page, and what the writers of WilmerAI would do afterwards."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from memory.engine.triggers import WriterPath
from memory.services.explaining import get_why
from memory.types import DiscussionRef
from tests.memory.api.calls import url

JSON = "application/json"
ANY = {"If-Match": "*"}


def send(client: Client, method: str, address: str, body: Mapping[str, Any] | None = None, **headers: str) -> Any:
    """A write by REST that changes whatever is there; its answer must be a success."""
    response: Any = client.generic(method, address, json.dumps(body or {}), JSON, headers={**ANY, **headers})
    assert response.status_code in {200, 201}, response.content
    return response.json()


def post_page(browser: Client, name: str, ref: DiscussionRef, *args: object, **typed: Any) -> HttpResponse:
    """What a person does: open the page, type, send; fields that are not named stay as the page shows them."""
    address = reverse(f"memory:{name}", args=[ref, *args])
    form = browser.get(address).context["page"].form
    shown = {bound.name: "" if bound.value() is None else bound.value() for bound in form}
    sent = {key: value for key, value in {**shown, **typed}.items() if value is not False}
    return browser.post(address, sent)


def entries(public: Path, name: str = "memories") -> list[dict[str, str]]:
    """The entries of a list file of anna."""
    found: list[dict[str, str]] = json.loads((public / f"DiscussionIds/anna/{name}.json").read_text("utf-8"))
    return found


def count_new(ref: DiscussionRef, path: WriterPath = WriterPath.FILE) -> int:
    """How many messages of the attached chat the next turn would find to be new."""
    why = get_why(ref, {})
    decision = next(item.decision for item in why.explanations if item.decision.path is path)
    return decision.new.count if decision.new else 0


def numbers(answer: Mapping[str, Any]) -> dict[str, int]:
    """All numbers that were announced."""
    return {key: value for item in answer["consequences"] for key, value in item["numbers"].items()}


def database(public: Path) -> Path:
    """Where the vector database of anna lies."""
    return public / "DiscussionIds/anna/vector_memory.db"


def select(public: Path, statement: str) -> list[Any]:
    """Rows of that database."""
    with closing(sqlite3.connect(database(public))) as connection:
        return list(connection.execute(statement))


def search_texts(client: Client, ref: DiscussionRef, words: str) -> list[str]:
    """The texts that keywords find."""
    hits = client.get(url(ref, "search"), {"query": words}).json()["hits"]
    return [hit["memory"]["text"] for hit in hits]
