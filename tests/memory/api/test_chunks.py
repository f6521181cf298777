from __future__ import annotations

import json
from pathlib import Path

from django.test import Client

from tests.builders import build_discussion, hash_of
from tests.memory.api.calls import error_of, url


def test_list_chunks_gives_a_page_object(public: Path, reader: Client) -> None:
    ref = build_discussion(public, chunks=5)

    page = reader.get(url(ref, "chunks"), {"size": 2, "page": 2}).json()

    assert [item["number"] for item in page["items"]] == [3, 2]
    assert (page["total"], page["page"], page["size"], page["pages"]) == (5, 2, 2, 3)
    assert page["next"] == "/api/v1/discussions/anna/chunks?size=2&page=3"
    assert page["previous"] == "/api/v1/discussions/anna/chunks?size=2&page=1"
    assert page["state"] == page["file"]["state"] == "present"


def test_list_chunks_oldest_first(public: Path, reader: Client) -> None:
    ref = build_discussion(public, chunks=3)

    items = reader.get(url(ref, "chunks"), {"order": "oldest"}).json()["items"]

    assert [item["hash"] for item in items] == [hash_of(f"message {number}") for number in (1, 2, 3)]


def test_list_chunks_only_those_behind_the_summary(public: Path, reader: Client) -> None:
    ref = build_discussion(public, chunks=5, summary_up_to=3)

    items = reader.get(url(ref, "chunks"), {"only": "not-in-summary"}).json()["items"]

    assert [item["number"] for item in items] == [5, 4]


def test_list_chunks_after_the_end_is_empty_and_points_back(public: Path, reader: Client) -> None:
    ref = build_discussion(public, chunks=3)

    page = reader.get(url(ref, "chunks"), {"page": 9, "size": 2}).json()

    assert (page["items"], page["total"], page["next"]) == ([], 3, None)
    assert "page=2&" in page["previous"]


def test_list_chunks_tells_an_absent_ledger_from_an_empty_one(public: Path, reader: Client) -> None:
    absent = build_discussion(public, "absent")
    (public / "DiscussionIds/absent/memories.json").unlink()
    empty = build_discussion(public, "empty", chunks=0)

    pages = [reader.get(url(ref, "chunks")).json() for ref in (absent, empty)]

    assert [(page["state"], page["items"], page["total"]) for page in pages] == [("absent", [], 0), ("empty", [], 0)]
    assert not (public / "DiscussionIds/absent/memories.json").exists()


def test_list_chunks_of_a_damaged_ledger_is_an_error_with_its_place(public: Path, reader: Client) -> None:
    ref = build_discussion(public)
    (public / "DiscussionIds/anna/memories.json").write_text('[\n  {"text_block": "a" "hash"}\n]')

    response = reader.get(url(ref, "chunks"))

    assert response.status_code == 422
    assert error_of(response)["code"] == "damaged-file"
    details = error_of(response)["details"]
    assert (details["file"], details["line"]) == ("memories.json", 2)
    assert details["column"] > 1


def test_list_chunks_of_a_file_that_may_not_be_opened_is_403(public: Path, reader: Client) -> None:
    ref = build_discussion(public)
    ledger = public / "DiscussionIds/anna/memories.json"
    ledger.unlink()
    ledger.symlink_to("/etc/passwd")

    response = reader.get(url(ref, "chunks"))

    assert (response.status_code, error_of(response)["code"]) == (403, "file-unreadable")


def test_list_chunks_of_too_large_a_file_is_413(public: Path, reader: Client, settings: object) -> None:
    settings.WILMER_MAX_FILE_BYTES = 100  # type: ignore[attr-defined]
    ref = build_discussion(public)

    response = reader.get(url(ref, "chunks"))

    assert (response.status_code, error_of(response)["code"]) == (413, "file-too-large")


def test_list_chunks_names_the_field_that_is_wrong(public: Path, reader: Client) -> None:
    ref = build_discussion(public)

    for field, value in {"page": "0", "size": "501", "order": "random", "only": "nothing"}.items():
        response = reader.get(url(ref, "chunks"), {field: value})

        assert response.status_code == 422
        assert field in str(error_of(response))


def test_get_chunk_has_text_hash_and_place(public: Path, reader: Client) -> None:
    ref = build_discussion(public, chunks=3, summary_up_to=2)

    chunk = reader.get(url(ref, "chunks", 2)).json()

    assert chunk["text"] == "Chunk 2: Anna talked about her garden."
    assert (chunk["number"], chunk["hash"], chunk["is_in_summary"]) == (2, hash_of("message 2"), True)


def test_get_chunk_of_unknown_number_is_404(public: Path, reader: Client) -> None:
    ref = build_discussion(public, chunks=3)

    response = reader.get(url(ref, "chunks", 4))

    assert (response.status_code, error_of(response)["code"]) == (404, "chunk-not-found")


def test_get_chunk_number_must_be_a_number(public: Path, reader: Client) -> None:
    ref = build_discussion(public)

    assert [reader.get(url(ref, "chunks", bad)).status_code for bad in ("0", "-1", "x", "9" * 40)] == [422] * 4


def test_get_chunk_mends_half_a_surrogate_pair(public: Path, reader: Client) -> None:
    ref = build_discussion(public)
    entries = [{"text_block": "cut \ud83d", "hash": "a\udc00"}]
    (public / "DiscussionIds/anna/memories.json").write_text(json.dumps(entries))

    chunk = reader.get(url(ref, "chunks", 1)).json()

    assert (chunk["text"], chunk["hash"]) == ("cut \ufffd", "a\ufffd")
