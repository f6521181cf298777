from __future__ import annotations

from typing import Any

import pytest

from memory.engine.braces import to_plain_braces, to_sentinels
from memory.engine.discussion_ids import find_discussion_id, remove_tags
from memory.engine.hashing import hash_text
from tests.conformance.readings import messages_of
from tests.conformance.vectors import cases


@pytest.mark.parametrize("case", cases("memory", "discussion_id", "extract"))
def test_extract(case: dict[str, Any]) -> None:
    messages = messages_of(case["input"]["messages"])

    # W24: the empty id is no id.
    assert find_discussion_id(messages) == (case["expected"]["discussion_id"] or None)
    assert [remove_tags(message.text) for message in messages] == case["expected"]["contents"]


@pytest.mark.parametrize("case", cases("memory", "discussion_id", "sentinels"))
def test_sentinels(case: dict[str, Any]) -> None:
    seen = to_sentinels(case["input"]["text"])

    found = {"seen_by_memory": seen, "hash": hash_text(seen), "restored": to_plain_braces(seen)}
    assert found == case["expected"]
