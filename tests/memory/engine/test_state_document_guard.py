from __future__ import annotations

import pytest

from memory.engine.state_document_guard import StateDocumentOutcome, guard_state_document

LONG = "x" * 1000


@pytest.mark.parametrize(
    ("old", "output", "ratio", "outcome"),
    [
        (LONG, "y" * 500, 0.5, StateDocumentOutcome.REPLACED),
        (LONG, "y" * 499, 0.5, StateDocumentOutcome.SHRUNK_TOO_MUCH),
        (LONG, "y", 0, StateDocumentOutcome.REPLACED),
        ("x" * 500, "y", 0.9, StateDocumentOutcome.REPLACED),
        (LONG, " \n", 0.5, StateDocumentOutcome.BLANK_OUTPUT),
        (LONG, None, 0.5, StateDocumentOutcome.BLANK_OUTPUT),
    ],
)
def test_guard(old: str, output: str | None, ratio: float, outcome: StateDocumentOutcome) -> None:
    verdict = guard_state_document(old, output, ratio)

    assert verdict.outcome is outcome
    assert verdict.text == (output if verdict.is_replaced else old)
