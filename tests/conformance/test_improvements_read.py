"""Damaged and unusual memory files: what is read, and that nothing is overwritten (W07, W26)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory.stores.contents import Access
from memory.stores.layouts import Place
from memory.stores.ledger import read_list_file, write_list_file
from memory.types import Artefact, Entry, FileState, Generation
from tests.conformance.vectors import cases
from wilmer_site.lib.errors import InvalidError

ACCESS = Access(limit_bytes=1_000_000)


@pytest.mark.parametrize("case", cases("memory", "improvements", "read"))
def test_read(case: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "memories.json"
    path.write_bytes(case["input"]["text"].encode())
    place = Place(Artefact.MEMORIES, path, Generation.NESTED, tmp_path)
    expected = case["expected"]

    found = read_list_file(place, ACCESS)

    if expected.get("unreadable"):
        assert found.report.state is FileState.DAMAGED
        with pytest.raises(InvalidError):
            write_list_file(place, ACCESS, [Entry("new", "h")])
    else:
        assert found.entries == tuple(Entry(item["text_block"], item["hash"]) for item in expected["entries"])
    assert path.read_bytes() == case["input"]["text"].encode()
    assert [entry.name for entry in tmp_path.iterdir()] == ["memories.json"]
