from __future__ import annotations

import json
from typing import Any

import pytest

from tests.memory.importers.chats import format_of, messages_in, problems_in, read, read_json, said_in, starts_in


def node(name: str, parent: str | None, role: str = "user", **more: Any) -> dict[str, Any]:
    content = more.pop("content", {"content_type": "text", "parts": [name]})
    message = {"author": {"role": role}, "create_time": more.pop("at", None), "content": content, **more}
    return {"id": name, "parent": parent, "children": [], "message": message}


def conversation(*nodes: dict[str, Any], current: str | None = None, **more: Any) -> dict[str, Any]:
    root = {"id": "root", "parent": None, "children": [], "message": None}
    mapping = {item["id"]: item for item in (*nodes, root)}
    return {"title": "Garden", "create_time": 1709370963.5, "mapping": mapping, "current_node": current, **more}


NODES = [node("b", "a", "assistant"), node("a", "root"), node("c", "a", "assistant", at=1709370999.0)]


def test_the_active_line_is_read() -> None:
    events = read_json([conversation(*NODES, current="b")])

    assert format_of(events) == "chatgpt"
    assert said_in(events) == [("user", "a"), ("assistant", "b")]
    assert starts_in(events)[0].title == "Garden"


def test_without_an_end_the_newest_branch_is_read() -> None:
    assert said_in(read_json([conversation(*NODES)]))[-1] == ("assistant", "c")


def test_a_single_conversation_is_read() -> None:
    assert len(said_in(read_json(conversation(*NODES, current="b")))) == 2


def test_a_message_without_time_has_that_of_the_one_before() -> None:
    times = [said.sent_at for said in messages_in(read_json([conversation(*NODES, current="b")]))]

    assert times[0] == times[1] is not None


@pytest.mark.parametrize(
    "skipped",
    [
        node("x", "a", "system"),
        node("x", "a", "tool"),
        node("x", "a", "assistant", recipient="browser"),
        node("x", "a", "user", metadata={"is_visually_hidden_from_conversation": True}),
        node("x", "a", "assistant", content={"content_type": "thoughts", "thoughts": []}),
        node("x", "a", "assistant", content={"content_type": "reasoning_recap", "content": "8 s"}),
        node("x", "a", "user", content={"content_type": "user_editable_context", "user_profile": "me"}),
        node("x", "a", "assistant", content={"content_type": "text", "parts": [""]}),
        node("x", "a", "assistant", content={"content_type": "text", "parts": None}),
        node("x", "a", "assistant", content=None),
        {"id": "x", "parent": "a", "message": None},
    ],
)
def test_what_nobody_said_is_passed_over(skipped: dict[str, Any]) -> None:
    said = said_in(read_json([conversation(node("a", "root"), skipped, node("b", "x", "assistant"), current="b")]))

    assert [text for _, text in said if text] == ["a", "b"]
    assert len(said) == 2


@pytest.mark.parametrize(
    ("content", "text", "images"),
    [
        ({"content_type": "multimodal_text", "parts": [{"asset_pointer": "file://1"}, "Look"]}, "Look", ("file://1",)),
        ({"content_type": "code", "language": "py", "text": "x = {1}"}, "x = {1}", ()),
        ({"content_type": "text", "parts": ["one", "two"]}, "one\ntwo", ()),
        ({"content_type": "text", "parts": ["cite \ue200x\ue201"]}, "cite \ue200x\ue201", ()),
    ],
)
def test_contents_are_read(content: dict[str, Any], text: str, images: tuple[str, ...]) -> None:
    said = messages_in(read_json([conversation(node("a", "root", content=content), current="a")]))[0]

    assert (said.content, said.images) == (text, images)


def test_a_conversation_without_tree_does_not_spoil_the_others() -> None:
    events = read_json([conversation(*NODES, current="b"), {"title": "x"}, conversation(*NODES, current="c")])

    assert [start.title for start in starts_in(events)] == ["Garden", "Garden"]
    assert len(problems_in(events)) == 1


def test_a_damaged_conversation_does_not_spoil_the_others() -> None:
    good = json.dumps(conversation(*NODES, current="b"))
    bad = good.replace('"parent": "a"', '"parent" "a"')

    events = read(f"[{good},\n{bad},\n{good}]")

    assert len(starts_in(events)) == 2
    assert (problems_in(events)[0].line, problems_in(events)[0].text[:9]) == (2, "Not JSON:")


def test_a_circle_ends() -> None:
    assert len(said_in(read_json([conversation(node("a", "b"), node("b", "a", "assistant"), current="b")]))) == 2
