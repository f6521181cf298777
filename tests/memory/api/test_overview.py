from __future__ import annotations

from pathlib import Path

from django.test import Client

from tests.builders import API_KEY, build_discussion
from tests.memory.api.calls import ROOT


def test_get_overview_counts_the_folder(public: Path, reader: Client) -> None:
    build_discussion(public, "anna", chunks=3, memories=2)
    build_discussion(public, "bob", chunks=1, memories=0, summary_up_to=1)
    build_discussion(public, "kept", api_key=API_KEY, encrypted=True)

    overview = reader.get(f"{ROOT}/overview").json()

    assert (overview["discussion_count"], overview["locked_count"]) == (3, 1)
    assert overview["chunk_count"] == 4
    assert overview["public_folder"].endswith("Public")
    assert not overview["public_folder"].startswith("/")
    assert len(overview["last_writes"]) == 3
