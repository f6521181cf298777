from __future__ import annotations

from collections.abc import Sequence

from workflows_app.engine.conversation import drop_leading_system, drop_system, last_within_tokens
from workflows_app.engine.dated_messages import DatedMessages
from workflows_app.types import ChatMessage

TALK = [{"role": "system", "content": "Be kind."}, *({"role": "user", "content": f"m{at}"} for at in range(1000))]


def dated(messages: Sequence[ChatMessage]) -> tuple[DatedMessages, list[str]]:
    """The messages, and what was looked at."""
    seen: list[str] = []

    def show_time(message: ChatMessage) -> ChatMessage:
        seen.append(message["content"])
        return {**message, "content": f"(noon) {message['content']}"}

    return DatedMessages(messages, show_time), seen


def test_only_messages_that_are_looked_at_get_their_times() -> None:
    messages, seen = dated(TALK)

    newest = list(drop_system(messages)[-2:])

    assert [message["content"] for message in newest] == ["(noon) m998", "(noon) m999"]
    assert seen == ["m998", "m999"]


def test_leading_system_messages_are_dropped_without_looking_at_the_rest() -> None:
    messages, seen = dated(TALK)

    assert len(drop_leading_system(messages)) == 1000
    assert len(seen) == 2


def test_tokens_are_counted_with_the_times_in_front() -> None:
    messages, _ = dated(TALK)

    assert [m["content"] for m in last_within_tokens(messages, limit=7, at_least=1)] == ["(noon) m998", "(noon) m999"]


def test_they_read_as_the_list_they_stand_for() -> None:
    messages, _ = dated(TALK[:1])

    assert repr(messages) == "[{'role': 'system', 'content': '(noon) Be kind.'}]"
