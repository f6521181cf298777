"""What may be wrong with a file, whatever its format (transcripts.md §8)."""

from __future__ import annotations

import io
import json
import tracemalloc
import zipfile
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest

from memory.engine.transcripts import Said
from memory.importers.archives import ArchiveLimits, list_members
from memory.importers.events import ImportProblem
from memory.importers.reading import read_chats
from tests.memory.importers.chats import format_of, messages_in, problems_in, read, read_json, said_in

CHAT = [{"role": "user", "content": "Hi žluť"}, {"role": "assistant", "content": "Ho"}]
SAID = [("user", "Hi žluť"), ("assistant", "Ho")]
TEXT = json.dumps(CHAT, ensure_ascii=False)
TAVERN = '{"name":"A","is_user":true,"mes":"Hi"}\n'


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b"  \n\r\n ", b"\0\0\0\0\0", b"\xff\xfe"])
def test_an_empty_file_is_said_to_be_empty(data: bytes) -> None:
    assert [problem.text for problem in problems_in(read(data))] == ["The file is empty."]


@pytest.mark.parametrize("data", [b"nonsense", b"<html>", b"{", b"[5]", b'{"a": 1}', b"\x89PNG\r\n", b"%PDF-1.4"])
def test_what_is_no_chat_is_said_to_be_none(data: bytes) -> None:
    events = read(data)

    assert format_of(events) == ""
    assert "no chat" in problems_in(events)[0].text


def test_a_damaged_first_record_does_not_hide_what_the_file_is() -> None:
    tree = {"a": {"id": "a", "parent": None, "message": {"author": {"role": "user"}, "content": {"parts": ["Hi"]}}}}
    events = read_json([{"title": "no mapping"}, {"mapping": tree, "current_node": "a"}])

    assert format_of(events) == "chatgpt"
    assert said_in(events) == [("user", "Hi")]
    assert len(problems_in(events)) == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_every_encoding_is_read(encoding: str) -> None:
    assert said_in(read(TEXT.encode(encoding))) == SAID


def test_windows_line_ends_are_fine() -> None:
    assert said_in(read(json.dumps(CHAT, indent=1).replace("\n", "\r\n"))) == SAID


def test_bytes_that_are_no_text_are_told_of_once() -> None:
    events = read(TEXT.encode().replace(b"Ho", b"H\xff\xfe"))

    assert said_in(events)[1] == ("assistant", "H\ufffd\ufffd")
    assert len(problems_in(events)) == 1


@pytest.mark.parametrize("escape", ["\\u0000", "\\ud800", "\0"])
def test_characters_that_are_no_text_are_mended(escape: str) -> None:
    events = read(f'[{{"role": "user", "content": "a{escape}b"}}]')

    assert said_in(events) == [("user", "a\ufffdb")]
    assert "characters that are no text" in problems_in(events)[0].text


def test_pairs_of_surrogates_are_one_character() -> None:
    assert said_in(read('[{"role": "user", "content": "\\ud83c\\udf31"}]')) == [("user", "🌱")]


@pytest.mark.parametrize("cut", range(1, len(TEXT), 7))
def test_a_file_cut_anywhere_never_fails(cut: int) -> None:
    said = said_in(read(TEXT[:cut]))

    assert said == SAID[: len(said)]


@pytest.mark.parametrize("text", ['{"role": "user", "content": ' + "[" * 10_000, "[" * 10_000, '{"a":' * 10_000])
def test_deep_nesting_costs_the_record_alone(text: str) -> None:
    events = read(f"[{json.dumps(CHAT[0])}, {text}")

    assert said_in(events) == SAID[:1]
    assert problems_in(events)


def test_deep_nesting_in_a_line_costs_the_line_alone() -> None:
    deep = '{"mes": ' + "[" * 10_000 + "]" * 10_000 + "}\n"

    assert said_in(read(TAVERN + deep + TAVERN)) == [("user", "Hi")] * 2


def test_a_message_of_a_megabyte_is_read() -> None:
    text = "long " * 250_000

    assert said_in(read_json([{"role": "user", "content": text}])) == [("user", text)]
    assert said_in(read(json.dumps({"mes": text, "is_user": True}) + "\n" + TAVERN))[0] == ("user", text)


def test_only_system_messages_are_kept_as_such() -> None:
    assert said_in(read_json([{"role": "system", "content": "Be kind."}])) == [("system", "Be kind.")]


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "CON.", "a/b\\c:d", "../../x"])
def test_names_are_texts(name: str) -> None:
    assert messages_in(read_json([{"role": "user", "name": name, "content": "x"}]))[0].name == name


@pytest.mark.parametrize("time", [0, 4102444800, "1970-01-01T00:00:00Z", "2999-01-01", 1e300, -1e20, "x" * 1000, True])
def test_odd_times_are_read_or_left_out(time: Any) -> None:
    assert len(messages_in(read_json([{"role": "user", "content": "x", "timestamp": time}]))) == 1


# --- ZIP files ---


def pack(**members: bytes | str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return data.getvalue()


def export(*texts: str) -> str:
    message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": list(texts)}}
    return json.dumps([{"mapping": {"a": {"id": "a", "parent": None, "message": message}}, "current_node": "a"}])


def test_split_exports_in_a_zip_file_are_read_in_order() -> None:
    data = pack(**{
        "conversations-001.json": export("two"),
        "conversations-000.json": export("one"),
        "__MACOSX/._conversations-000.json": b"\0junk",
        ".hidden.json": export("no"),
        "user.json": '{"id": "x"}',
        "chat.html": "<html>",
        "image.png": b"\x89PNG",
    })  # fmt: skip

    events = read(data)

    assert said_in(events) == [("user", "one"), ("user", "two")]
    assert [problem.text for problem in problems_in(events)] == ["3 other files in the ZIP file hold no chats."]


def test_names_that_lead_out_of_the_zip_file_are_refused() -> None:
    data = pack(**{"../evil.json": TEXT, "/abs.json": TEXT, "..\\win.json": TEXT, "good.json": TEXT})

    events = read(data)

    assert said_in(events) == SAID
    assert sum("leads out" in problem.text for problem in problems_in(events)) == 3


def test_a_zip_file_in_a_zip_file_is_refused() -> None:
    events = read(pack(**{"inner.zip": pack(**{"a.json": TEXT}), "a.json": TEXT}))

    assert said_in(events) == SAID
    assert "inside a ZIP file" in problems_in(events)[0].text


def test_a_zip_file_disguised_as_chat_is_not_opened() -> None:
    assert said_in(read(pack(**{"inner.json": pack(**{"a.json": TEXT})}))) == []


def test_a_bomb_is_refused() -> None:
    events = read(pack(**{"a.json": b"[" + b" " * 40_000_000 + b"]"}))

    assert "packed far more tightly" in problems_in(events)[0].text


@pytest.mark.parametrize(
    ("limits", "told"), [(ArchiveLimits(members=1), "2 files"), (ArchiveLimits(total_bytes=10), "Unpacked")]
)
def test_a_zip_file_has_limits(limits: ArchiveLimits, told: str) -> None:
    found = list(list_members(io.BytesIO(pack(**{"a.json": TEXT, "b.json": TEXT})), limits))

    assert isinstance(found[0], ImportProblem)
    assert told in found[0].text


@pytest.mark.parametrize("cut", [10, 60, -10])
def test_a_damaged_zip_file_is_told_of(cut: int) -> None:
    assert problems_in(read(pack(**{"a.json": TEXT * 50})[:cut]))


def test_a_damaged_member_costs_that_member_alone() -> None:
    data = pack(**{"a.json": json.dumps([{"role": "user", "content": str(number)} for number in range(900)])})
    broken = data[:200] + bytes(byte ^ 0xFF for byte in data[200:400]) + data[400:]

    assert "damaged" in " ".join(problem.text for problem in problems_in(read(broken)))


def test_a_zip_file_without_chats_says_so() -> None:
    assert problems_in(read(pack(**{"a.txt": "hello"})))[-1].text == "No file in the ZIP file is a chat."


# --- Large files ---


class Growing(io.RawIOBase):
    """A file that is made while it is read, so that it takes no memory itself."""

    def __init__(self, count: int, make: Any, head: bytes, tail: bytes) -> None:
        self._facts = (count, make, head, tail)
        self._rest = b""
        self._parts = self._list_parts()

    def _list_parts(self) -> Iterator[bytes]:
        count, make, head, tail = self._facts
        yield from filter(None, chain([head], map(make, range(count)), [tail]))

    def seek(self, offset: int, whence: int = 0) -> int:
        assert (offset, whence) == (0, 0)
        self._rest, self._parts = b"", self._list_parts()
        return 0

    def read(self, size: int = -1) -> bytes:
        while len(self._rest) < size and (part := next(self._parts, b"")):
            self._rest += part
        data, self._rest = self._rest[:size], self._rest[size:]
        return data


def openai_part(number: int) -> bytes:
    comma = b"," if number else b""
    return comma + json.dumps({"role": "user", "content": f"{number} " + "word " * 60}).encode()


def tavern_part(number: int) -> bytes:
    return json.dumps({"is_user": True, "mes": f"{number} " + "word " * 60}).encode() + b"\n"


def row_part(number: int) -> bytes:
    return (b"," if number else b"") + json.dumps([f"{number}", "word " * 60]).encode()


@pytest.mark.parametrize(
    ("make", "head", "tail"),
    [
        (openai_part, b"[", b"]"),
        (openai_part, b'{"model": "m", "messages": [', b"]}"),
        (tavern_part, b"", b""),
        (row_part, b'{"internal": [', b'], "visible": [], "metadata": {}}'),
    ],
)
def test_thirty_thousand_messages_are_read_in_bounded_memory(make: Any, head: bytes, tail: bytes) -> None:
    tracemalloc.start()
    try:
        count = sum(isinstance(event, Said) for event in read_chats(Growing(30_000, make, head, tail)))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert count in (30_000, 60_000)
    # The file has more than 10 MB.
    assert peak < 6_000_000
