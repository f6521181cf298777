from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from tests.builders import build_discussion, build_entry, write_entries
from tests.memory.api.calls import ROOT, url

PARTS = ["", "files", "files/memories", "files/memories/raw", "chunks", "chunks/1", "summary", "trackers"]
MORE = ["state-document", "vector-memories", "vector-memories/1", "vector-store", "health", "search?query=tree"]


@pytest.mark.parametrize("part", [*PARTS, *MORE])
def test_unchanged_data_are_not_sent_again(public: Path, reader: Client, part: str) -> None:
    path = url(build_discussion(public), part).rstrip("/")
    first = reader.get(path)

    again = reader.get(path, headers={"If-None-Match": first["ETag"]})

    assert first["ETag"].startswith('"')
    assert first["Cache-Control"] == "private, no-cache"
    assert "X-Discussion-Key" in first["Vary"]
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])


@pytest.mark.parametrize("path", ["overview", "discussions", "health", "search?query=tree"])
def test_unchanged_lists_are_not_sent_again(public: Path, reader: Client, path: str) -> None:
    build_discussion(public)
    first = reader.get(f"{ROOT}/{path}")

    again = reader.get(f"{ROOT}/{path}", headers={"If-None-Match": f'"other", W/{first["ETag"]}'})

    assert (first.status_code, again.status_code) == (200, 304)


def test_a_write_changes_the_etag(public: Path, reader: Client) -> None:
    ref = build_discussion(public, chunks=2)
    first = reader.get(url(ref, "chunks"))

    write_entries(public / "DiscussionIds/anna/memories.json", [build_entry(number) for number in (1, 2, 3)])
    second = reader.get(url(ref, "chunks"), headers={"If-None-Match": first["ETag"]})

    assert (second.status_code, second.json()["total"]) == (200, 3)
    assert second["ETag"] != first["ETag"]


def test_parameters_are_part_of_the_etag(public: Path, reader: Client) -> None:
    ref = build_discussion(public)

    tags = {reader.get(url(ref, "chunks"), {"page": page})["ETag"] for page in (1, 2)}

    assert len(tags) == 2


def test_last_modified_is_the_time_of_the_file(public: Path, reader: Client) -> None:
    ref = build_discussion(public)

    assert reader.get(url(ref, "chunks"))["Last-Modified"].endswith("GMT")


def test_head_has_headers_without_a_body(public: Path, reader: Client) -> None:
    ref = build_discussion(public)

    for path in (url(ref), url(ref, "chunks"), f"{ROOT}/discussions"):
        head, get = reader.head(path), reader.get(path)

        assert (head.status_code, head.content) == (200, b"")
        assert (head["ETag"], head["Content-Length"]) == (get["ETag"], str(len(get.content)))


def test_errors_have_no_etag(public: Path, reader: Client) -> None:
    assert "ETag" not in reader.get(url("nobody"))
