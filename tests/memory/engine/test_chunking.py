from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.engine.chunking import list_spans, pack_messages
from memory.engine.tokens import estimate_tokens
from memory.types import Message


@given(st.lists(st.text(max_size=60), max_size=20), st.integers(0, 60))
def test_no_message_is_lost_or_moved(contents: list[str], size: int) -> None:
    messages = [Message("user", content) for content in contents]

    chunks = pack_messages(messages, size)

    assert [message for chunk in chunks for message in chunk.messages] == messages


@given(st.lists(st.text(max_size=60), max_size=20), st.integers(0, 60))
def test_only_a_lone_message_exceeds_the_limit(contents: list[str], size: int) -> None:
    messages = [Message("user", content) for content in contents]

    for span in list_spans(messages, size):
        tokens = sum(estimate_tokens(content) for content in contents[span.start : span.end])
        assert len(span) == 1 or tokens <= 0.8 * size
