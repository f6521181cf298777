from __future__ import annotations

from pathlib import Path

from django.test import Client

from memory import wiring
from tests.builders import build_discussion, hash_of
from tests.memory.api.calls import error_of, url

JSON = "application/json"


def test_a_finding_is_mended(writer: Client, public: Path) -> None:
    ref = build_discussion(public, summary_up_to=9)
    address = url(ref, "health", "summary-link-lost", "repair")

    tried = writer.post(f"{address}?dry_run=true", {"chunk": 2}, content_type=JSON).json()
    assert (tried["batch"], bool(tried["consequences"])) == (None, True)
    done = writer.post(address, {"chunk": 2}, content_type=JSON).json()
    assert done["batch"]
    assert wiring.open_discussion(ref).read_summary().entries[0].hash == hash_of("message 2")


def test_what_is_fine_is_not_found(writer: Client, public: Path) -> None:
    address = url(build_discussion(public), "health", "fts-orphans", "repair")

    assert error_of(writer.post(address, {}, content_type=JSON))["code"] == "nothing-to-repair"


def test_readers_mend_nothing(reader: Client, public: Path) -> None:
    address = url(build_discussion(public, summary_up_to=9), "health", "summary-link-lost", "repair")

    assert reader.post(address, {"chunk": 1}, content_type=JSON).status_code == 403
