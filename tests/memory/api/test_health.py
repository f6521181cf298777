from __future__ import annotations

from pathlib import Path

from django.test import Client

from tests.builders import build_discussion
from tests.memory.api.calls import ROOT, url


def test_list_checks_includes_those_that_found_nothing(public: Path, reader: Client) -> None:
    ref = build_discussion(public)

    page = reader.get(url(ref, "health")).json()

    assert page["total"] == len(page["items"]) > 0
    assert {item["level"] for item in page["items"]} <= {"ok", "warning", "error"}


def test_list_checks_finds_damage(public: Path, reader: Client) -> None:
    ref = build_discussion(public)
    (public / "DiscussionIds/anna/memories.json").write_text("{")

    items = reader.get(url(ref, "health")).json()["items"]

    assert any(item["level"] == "error" and item["artefact"] == "memories" for item in items)


def test_list_problems_of_all_discussions(public: Path, reader: Client) -> None:
    build_discussion(public, "well")
    build_discussion(public, "ill")
    (public / "DiscussionIds/ill/memories.json").write_text("{")

    page = reader.get(f"{ROOT}/health").json()

    assert "error" in {item["level"] for item in page["items"] if item["ref"] == "ill"}
