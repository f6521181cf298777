from __future__ import annotations

import pytest

from memory.engine.memory_settings import Target
from memory.engine.model_calls import ModelCall, Purpose, WorkflowCall
from memory.engine.surrogates import replace_lone_surrogates


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("plain Žofie 🙂", "plain Žofie 🙂"),
        ("a\ud800b", "a\ufffdb"),
        ("\udc00\ud83d\ude42\ud800", "\ufffd🙂\ufffd"),
        ("\x00\ud800\ufeff", "\x00\ufffd\ufeff"),
    ],
)
def test_only_halves_are_replaced(text: str, expected: str) -> None:
    assert replace_lone_surrogates(text) == expected


def test_calls_can_always_be_sent() -> None:
    call = ModelCall(Target("Memory", "Plain", 5), "be \ud800", "text \udfff", Purpose.SUMMARY)
    workflow = WorkflowCall("remember", ("fine", "\ud800"), Purpose.FILE_MEMORY)

    assert (call.system_prompt, call.prompt, workflow.inputs) == ("be \ufffd", "text \ufffd", ("fine", "\ufffd"))
