from __future__ import annotations

from pathlib import Path

from django.test import Client

from tests.builders import build_discussion, hash_of
from tests.memory.api.calls import error_of, url


def test_get_summary_with_its_place_in_the_ledger(public: Path, reader: Client) -> None:
    ref = build_discussion(public, chunks=5, summary_up_to=3)

    summary = reader.get(url(ref, "summary")).json()

    assert (summary["text"], summary["hash"]) == ("The story so far.", hash_of("message 3"))
    assert (summary["covered_chunks"], summary["total_chunks"], summary["behind"]) == (3, 5, 2)
    assert (summary["link"], summary["ledger_state"]) == ("linked", "present")


def test_get_summary_that_is_absent_says_so(public: Path, reader: Client) -> None:
    ref = build_discussion(public, summary_up_to=None)

    summary = reader.get(url(ref, "summary")).json()

    assert (summary["text"], summary["link"], summary["file"]["state"]) == ("", "no-summary", "absent")


def test_get_summary_tells_of_a_damaged_ledger(public: Path, reader: Client) -> None:
    ref = build_discussion(public)
    (public / "DiscussionIds/anna/memories.json").write_text("{")

    assert reader.get(url(ref, "summary")).json()["ledger_state"] == "damaged"


def test_get_summary_that_is_damaged_is_422(public: Path, reader: Client) -> None:
    ref = build_discussion(public)
    (public / "DiscussionIds/anna/chat_summary.json").write_text("[")

    response = reader.get(url(ref, "summary"))

    assert (response.status_code, error_of(response)["code"]) == (422, "damaged-file")


def test_get_state_document_raw(public: Path, reader: Client) -> None:
    ref = build_discussion(public, state_document="# <b>People</b>\r\n")

    document = reader.get(url(ref, "state-document")).json()

    assert (document["text"], document["backup_text"]) == ("# <b>People</b>\r\n", "")
    assert (document["file"]["state"], document["backup_file"]["state"]) == ("present", "absent")


def test_get_state_document_that_is_absent_says_so(public: Path, reader: Client) -> None:
    ref = build_discussion(public, state_document=None)

    document = reader.get(url(ref, "state-document")).json()

    assert (document["text"], document["file"]["state"]) == ("", "absent")
