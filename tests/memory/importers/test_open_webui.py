from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.memory.importers.chats import format_of, messages_in, problems_in, read, read_json, said_in, starts_in


def message(node: str, parent: str | None, role: str = "user", **more: Any) -> dict[str, Any]:
    return {"id": node, "parentId": parent, "role": role, "content": node, "timestamp": 1709370963, **more}


def row(*messages: dict[str, Any], current: Any = None, **more: Any) -> dict[str, Any]:
    history = {"currentId": current, "messages": {item["id"]: item for item in messages}}
    return {"id": "x", "title": "Garden", "chat": {"history": history, **more}, "created_at": 1709370963}


TREE = [message("a", None), message("b", "a", "assistant"), message("c", "a", "assistant"), message("d", "b")]


def test_the_active_line_is_read() -> None:
    events = read_json([row(*TREE, current="d")])

    assert format_of(events) == "open-webui"
    assert said_in(events) == [("user", "a"), ("assistant", "b"), ("user", "d")]
    assert starts_in(events)[0].title == "Garden"
    assert messages_in(events)[0].sent_at == datetime(2024, 3, 2, 9, 16, 3, tzinfo=UTC)


@pytest.mark.parametrize("current", [None, "gone", 5])
def test_without_a_usable_end_the_last_branch_is_read(current: Any) -> None:
    assert said_in(read_json([row(*TREE, current=current)]))[-1] == ("user", "d")


def test_a_leftover_without_role_does_not_hide_the_chat() -> None:
    leftover = {"id": "x", "parentId": "gone", "timestamp": 1709370999}

    events = read_json([row(*TREE, leftover, current="gone")])

    assert [text for _, text in said_in(events)] == ["a", "b", "d"]
    assert "no role" in problems_in(events)[0].text


def test_a_chat_without_any_role_is_only_reported() -> None:
    events = read_json([row({"id": "x", "parentId": None}, current="gone")])

    assert said_in(events) == []
    assert "no role" in problems_in(events)[0].text


def test_the_list_beside_the_tree_names_the_end() -> None:
    assert said_in(read_json([row(*TREE, messages=[{"id": "c"}])]))[-1] == ("assistant", "c")


@pytest.mark.parametrize("shape", ["row", "chat", "flat"])
def test_single_and_older_shapes_are_read(shape: str) -> None:
    one = row(*TREE, current="d")
    flat = {"chat": {"messages": [TREE[0], TREE[1], TREE[3]]}}

    events = read_json({"row": one, "chat": one["chat"], "flat": flat}[shape])

    assert [text for _, text in said_in(events)] == ["a", "b", "d"]


def test_circles_and_missing_parents_end_the_line() -> None:
    circle = [message("a", "b"), message("b", "a", "assistant")]
    orphan = [message("b", "gone", "assistant")]

    assert [text for _, text in said_in(read_json([row(*circle, current="b")]))] == ["a", "b"]
    assert [text for _, text in said_in(read_json([row(*orphan, current="b")]))] == ["b"]


def test_thinking_and_tools_are_taken_out() -> None:
    text = '<details type="reasoning" done="true">\nhm\n</details>\nYes <details>kept</details>'

    assert said_in(read_json([row(message("a", None, "assistant", content=text), current="a")])) == [
        ("assistant", "Yes <details>kept</details>")
    ]


def test_parts_and_pictures_are_read() -> None:
    parts = [{"type": "text", "text": "Look"}, {"type": "image_url", "image_url": {"url": "data:x"}}]
    one = message("a", None, content=parts, files=[{"type": "image", "url": "data:y"}, {"type": "file"}])

    assert messages_in(read_json([row(one, current="a")]))[0].images == ("data:x", "data:y")


def test_a_message_without_role_is_told_of() -> None:
    events = read_json([row(message("a", None, role=""), message("b", "a"), current="b")])

    assert said_in(events) == [("user", "b")]
    assert len(problems_in(events)) == 1


def test_a_tag_in_the_system_prompt_is_found() -> None:
    start = starts_in(read_json([row(*TREE, params={"system": "[DiscussionId]anna[/DiscussionId]"})]))[0]

    assert start.discussion_id == "anna"


def test_a_row_without_chat_does_not_spoil_the_others() -> None:
    events = read_json([row(*TREE, current="d"), {"id": "y", "chat": None}, row(*TREE, current="c")])

    assert len(starts_in(events)) == 2
    assert len(problems_in(events)) == 1


def test_a_file_that_breaks_off_keeps_what_is_whole() -> None:
    text = '[{"chat": {"history": {"currentId": "d", "messages": {"a": {"id": "a", "parentId": null, "role": "user", '
    text += '"content": "Hi"}, "b": {"id": "b", "parentId": "a", "role": "assistant", "content": "Hal'

    events = read(text)

    assert said_in(events)[0] == ("user", "Hi")
    assert "ends in the middle" in problems_in(events)[0].text
