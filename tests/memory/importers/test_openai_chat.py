from __future__ import annotations

import json
from typing import Any

import pytest

from tests.memory.importers.chats import format_of, messages_in, problems_in, read, read_json, said_in, starts_in

CHAT = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"}]
SAID = [("system", "Be kind."), ("user", "Hi")]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(CHAT),
        json.dumps(CHAT, indent=4),
        json.dumps({"messages": CHAT}),
        json.dumps({"model": "m", "stream": True, "messages": CHAT, "temperature": 0.5}),
        json.dumps([CHAT]),
        "\n".join(json.dumps(message) for message in CHAT),
        "  \n" + json.dumps({"messages": CHAT}) + "\n\n",
    ],
)
def test_every_container_is_read(text: str) -> None:
    events = read(text)

    assert (format_of(events), said_in(events)) == ("openai", SAID)
    assert len(starts_in(events)) == 1
    assert problems_in(events) == []


@pytest.mark.parametrize("separator", ["\n", ",\n"])
def test_json_lines_are_one_conversation_each(separator: str) -> None:
    lines = separator.join(json.dumps({"title": name, "messages": CHAT}) for name in ("One", "Two"))

    assert [start.title for start in starts_in(read(lines))] == ["One", "Two"]


@pytest.mark.parametrize(
    ("message", "text", "images"),
    [
        ({"role": "assistant", "content": None, "tool_calls": [{"function": {"arguments": "{"}}]}, "", ()),
        ({"role": "assistant"}, "", ()),
        ({"role": "user", "content": []}, "", ()),
        ({"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "a\nb", ()),
        ({"role": "user", "content": [{"type": "input_audio"}, {"type": "new"}, "x"]}, "", ()),
        ({"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:x"}}]}, "", ("data:x",)),
        ({"role": "user", "content": [{"type": "image_url", "image_url": "data:x"}]}, "", ("data:x",)),
        (
            {"role": "user", "content": [{"type": "image", "source": {"media_type": "image/gif", "data": "AA"}}]},
            "",
            ("data:image/gif;base64,AA",),
        ),
        ({"role": "user", "content": "x", "images": ["data:x"]}, "x", ("data:x",)),
        ({"role": "odd", "content": "x"}, "x", ()),
        ({"role": "tool", "tool_call_id": "1", "content": "x"}, "x", ()),
    ],
)
def test_contents_are_read(message: dict[str, Any], text: str, images: tuple[str, ...]) -> None:
    said = messages_in(read_json([*CHAT, message]))[-1]

    assert (said.role, said.content, said.images) == (message["role"], text, images)


@pytest.mark.parametrize("bad", ['{"content": "x"}', "5", '"x"', "null", f'{{"role": "{"x" * 99}", "content": ""}}'])
def test_what_is_no_message_is_told_of(bad: str) -> None:
    events = read(f"[{json.dumps(CHAT[0])},\n{bad},\n{json.dumps(CHAT[1])}]")

    assert said_in(events) == SAID
    assert problems_in(events)[0].line == 2


@pytest.mark.parametrize(
    "bad", ['{"role": "user" "content": "x"}', '{"role": "user", "content": "x"', '{"role": user}', '{"role":', "@@"]
)
def test_a_damaged_message_is_told_of_and_the_others_kept(bad: str) -> None:
    for text in (f'[{json.dumps(CHAT[0])},\n{bad},\n{json.dumps(CHAT[1])}]',
                 f'{{"messages": [{json.dumps(CHAT[0])},\n{bad},\n{json.dumps(CHAT[1])}]}}'):  # fmt: skip
        events = read(text)

        assert said_in(events)[0] == SAID[0]
        assert SAID[1] in said_in(events)
        assert problems_in(events)[0].line in (2, 3)


def test_a_damaged_line_is_told_of_and_the_others_kept() -> None:
    good = json.dumps({"messages": CHAT})

    events = read(f'{good}\n{{"messages": [{{"role": "user", }}]}}\n{good}\n')

    assert said_in(events) == SAID * 2
    assert problems_in(events)[0].line == 2


def test_an_empty_list_has_no_messages() -> None:
    assert (format_of(read("[]")), said_in(read("[]"))) == ("openai", [])
    assert said_in(read('{"messages": []}')) == []
