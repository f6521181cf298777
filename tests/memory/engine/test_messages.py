from __future__ import annotations

from typing import Any

import pytest

from memory.engine.messages import PreparationOptions, build_conversation, parse_message
from memory.types import Message
from wilmer_site.lib.errors import InvalidError


def test_conversation_goes_through_every_step() -> None:
    raw = [
        {"role": "user", "content": "[DiscussionId]garden[/DiscussionId]Use {x}"},
        {"role": "assistant", "content": None},
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
    ]

    conversation = build_conversation(raw)

    assert conversation.discussion_id == "garden"
    assert [message.content for message in conversation.messages] == [
        "Use __WILMER_L_CURLY__x__WILMER_R_CURLY__",
        "a\nb",
    ]


def test_role_labels_and_the_missing_assistant_are_added() -> None:
    options = PreparationOptions(adds_role_labels=True, adds_missing_assistant=True)

    conversation = build_conversation([{"role": "user", "content": "hi"}], options)

    assert conversation.messages == (Message("user", "User: hi"), Message("assistant", "Assistant:"))


def test_a_blank_message_stays_for_its_tool_calls_or_images() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:1"}}
    raw: list[dict[str, Any]] = [
        {"role": "assistant", "content": "", "tool_calls": [1]},
        {"role": "user", "content": [image]},
        {"role": "user", "content": " "},
    ]

    conversation = build_conversation(raw)

    assert [message.images for message in conversation.messages] == [(), ("data:1",)]


@pytest.mark.parametrize("raw", [{"role": 3, "content": "x"}, {"role": "user", "content": 7}])
def test_what_is_no_message_is_refused(raw: dict[str, Any]) -> None:
    with pytest.raises(InvalidError):
        parse_message(raw)
