from __future__ import annotations

from typing import Any

import pytest

from memory.stores.vector_index_row import UnstorableMemoryError, build_index_row, build_memory_text, format_metadata


def test_topics_follow_the_key_phrases() -> None:
    metadata = {"key_phrases": ["  clay"], "topics": ["soil ", None]}

    assert build_index_row("t", metadata, index_topics=True)[3] == "clay soil  None"
    assert build_index_row("t", metadata, index_topics=False)[3] == "  clay"
    assert build_index_row("t", {"key_phrases": "  k ", "topics": []}, index_topics=True)[3] == "  k "


@pytest.mark.parametrize("metadata", [None, [], "x", {"entities": {"a": 1}}, {"title": 2**63}, {"title": "\ud83d"}])
def test_refused_metadata(metadata: Any) -> None:
    with pytest.raises(UnstorableMemoryError):
        build_index_row("t", metadata, index_topics=False)


@pytest.mark.parametrize("text", [None, float("nan"), [], {}])
def test_refused_texts(text: Any) -> None:
    with pytest.raises(UnstorableMemoryError):
        build_memory_text(text)


def test_metadata_are_ascii_json() -> None:
    assert format_metadata({"title": "番", "n": 1}) == '{"title": "\\u756a", "n": 1}'
    with pytest.raises(UnstorableMemoryError):
        format_metadata({"x": object()})
