"""Messages on their way in."""

from __future__ import annotations

from typing import Any

from workflows_app.engine.gateway import drop_liveness, fold_repeats, prepare_messages

LABELS = {"chatCompleteAddUserAssistant": True, "chatCompletionAddMissingAssistantGenerator": True}


def call(name: str, call_id: str) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": "{}"}}


def exchange(call_id: str, result: str = "same") -> list[dict[str, Any]]:
    asks = {"role": "assistant", "content": "", "tool_calls": [call("ls", call_id)]}
    return [asks, {"role": "tool", "content": result, "tool_call_id": call_id}]


def test_parts_become_text_and_pictures() -> None:
    image = {"type": "image_url", "image_url": {"url": "http://a/b.png"}}
    parts = [{"type": "text", "text": "one"}, image, {"type": "text", "text": "two"}, {"type": "audio"}]

    incoming = prepare_messages([{"role": "user", "content": parts}], {})

    assert incoming.messages == [{"role": "user", "content": "one\ntwo", "images": ["http://a/b.png"]}]


def test_labels_and_generator() -> None:
    incoming = prepare_messages([{"role": "user", "content": "hi"}], LABELS)

    assert [message["content"] for message in incoming.messages] == ["User: hi", "Assistant:"]


def test_generator_without_labels_says_nothing_and_is_dropped() -> None:
    user = {"chatCompletionAddMissingAssistantGenerator": True}

    assert len(prepare_messages([{"role": "user", "content": "hi"}], user).messages) == 1


def test_braces_are_escaped_but_not_in_the_id() -> None:
    incoming = prepare_messages([{"role": "user", "content": "[DiscussionId]a{b}[/DiscussionId]{x}"}], {})

    assert incoming.discussion_id == "a{b}"
    assert incoming.messages[0]["content"] == "__WILMER_L_CURLY__x__WILMER_R_CURLY__"


def test_made_up_calls_leave_the_history() -> None:
    made_up = exchange("wilmer_liveness_1")
    real = exchange("c1")

    assert drop_liveness([*made_up, *real]) == real


def test_made_up_call_beside_text_leaves_the_text() -> None:
    message = {"role": "assistant", "content": "Done.", "tool_calls": [call("bash", "wilmer_liveness_1")]}

    assert drop_liveness([message]) == [{"role": "assistant", "content": "Done."}]


def test_three_equal_exchanges_become_one_with_a_note() -> None:
    folded = fold_repeats([*exchange("a"), *exchange("b"), *exchange("c"), {"role": "user", "content": "stop"}])

    assert len(folded) == 3
    assert "3 times in a row" in folded[1]["content"]


def test_two_equal_exchanges_and_different_ones_stay() -> None:
    messages = [*exchange("a"), *exchange("b"), *exchange("c", "other")]

    assert fold_repeats(messages) == messages
