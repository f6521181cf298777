"""The discussion tag in messages."""

from __future__ import annotations

from typing import Any

import pytest

from memory.engine.braces import to_plain_braces
from tests.conformance.vectors import cases
from workflows_app.engine.gateway import prepare_messages


@pytest.mark.parametrize("case", cases("workflows", "discussion_id_tag"))
def test_discussion_id_tag(case: dict[str, Any]) -> None:
    incoming = prepare_messages(case["input"]["messages"], {})

    plain = [{**message, "content": to_plain_braces(message["content"])} for message in incoming.messages]
    assert plain == case["expected"]["messages"]
    # An empty tag gives an empty id in WilmerAI, which counts as none wherever it matters.
    assert (incoming.discussion_id or "") == (case["expected"]["discussion_id"] or "")
    assert f"id=<{incoming.discussion_id or ''}>" == case["expected"]["variable"]
