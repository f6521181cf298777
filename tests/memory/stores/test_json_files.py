"""JSON text: what is accepted, where damage is, and how it is written."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.stores.json_files import (
    JsonDamageError,
    ListForm,
    decode_text,
    format_entries,
    format_json,
    parse_entries,
    parse_json,
    parse_object,
)
from memory.types import Entry


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('[\n  {"text_block": "a", "hash": "1"},\n  {"text_block": "b"  "hash": "2"}\n]', 3, 23),
        ("[1,]", 1, 4),
        ("", 1, 1),
        ("[] []", 1, 4),
    ],
)
def test_damage_names_line_and_column(text: str, line: int, column: int) -> None:
    with pytest.raises(JsonDamageError, match=rf"at line {line}, column {column}\.") as caught:
        parse_json(text)

    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("[" * 200_000, "nested too deeply"),
        ('{"a":' * 200_000, "nested too deeply"),
        (f"[{'9' * 6000}]", "too many digits"),
        ('{"a": 1}\n{"a": 2}', "as in JSON lines"),
    ],
)
def test_hostile_numbers_and_depths_are_damage(text: str, word: str) -> None:
    with pytest.raises(JsonDamageError, match=word):
        parse_json(text)


@pytest.mark.parametrize("text", ["[" * 200_000, f"[{'9' * 6000}]", '[{"a": 1}', "[1] x", '{"text_block": "a"}\n{'])
def test_hostile_lists_in_lines_are_damage(text: str) -> None:
    with pytest.raises(JsonDamageError):
        parse_entries(text, may_be_lines=True)


def test_damage_in_a_line_names_that_line() -> None:
    text = '{"text_block": "a", "hash": "1"}\n\n{"text_block": "b", }\n'

    with pytest.raises(JsonDamageError) as caught:
        parse_entries(text, may_be_lines=True)

    assert (caught.value.line, caught.value.column) == (3, 21)


def test_lines_after_an_array_are_counted_from_the_top() -> None:
    with pytest.raises(JsonDamageError) as caught:
        parse_entries('[\n]\n{"text_block": "a"}\n{oops}\n', may_be_lines=True)

    assert caught.value.line == 4


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_odd_numbers_are_accepted_as_wilmerai_accepts_them(value: str) -> None:
    assert list(parse_object(f'{{"a": {value}}}')) == ["a"]


@pytest.mark.parametrize(
    ("data", "line", "column", "word"),
    [
        (b'["caf\xe9"]', 1, 6, "byte 5 "),
        (b"\xef\xbb\xbf[\n\xff", 2, 1, "byte 5 "),
        ("é\n".encode() + b"\x80", 2, 1, "byte 3 "),
        ("[]".encode("utf-16"), None, None, "UTF-16"),
    ],
)
def test_bytes_that_are_not_utf8_are_damage(data: bytes, line: int | None, column: int | None, word: str) -> None:
    with pytest.raises(JsonDamageError, match=word) as caught:
        decode_text(data)

    assert (caught.value.line, caught.value.column) == (line, column)


def test_elements_that_are_no_entries_are_left_out_and_described() -> None:
    text = json.dumps([{"text_block": "a"}, "loose", None, 5, [], {"hash": "h"}, {"text_block": 5, "hash": "h"}])

    parsed = parse_entries(text, may_be_lines=False)

    assert parsed.entries == (Entry("a", ""),)
    assert [sentence.split(" and ")[0] for sentence in parsed.skipped] == [
        "Element 2 is a text instead of an object",
        "Element 3 is null instead of an object",
        "Element 4 is a number instead of an object",
        "Element 5 is a list instead of an object",
        "Element 6 has no text_block",
        "Element 7 has a number instead of a text as text_block",
    ]


@pytest.mark.parametrize(
    ("text", "kind"), [("{}", "an object"), ("5", "a number"), ("null", "null"), ("true", "true or")]
)
def test_a_list_file_must_hold_a_list(text: str, kind: str) -> None:
    with pytest.raises(JsonDamageError, match=f"must hold a list, but holds {kind}"):
        parse_entries(text, may_be_lines=False)


def test_line_separators_inside_a_text_do_not_end_a_line() -> None:
    line = json.dumps({"text_block": "a\u2028b\x85c", "hash": "1"}, ensure_ascii=False)

    assert parse_entries(line, may_be_lines=True).entries == (Entry("a\u2028b\x85c", "1"),)


def test_text_is_written_as_wilmerai_writes_it() -> None:
    text = format_json([{"text_block": "zażó 🌱", "hash": "h"}])

    assert text == ('[\n    {\n        "text_block": "za\\u017c\\u00f3 \\ud83c\\udf31",\n        "hash": "h"\n    }\n]')
    assert format_json([]) == "[]"


@given(st.lists(st.builds(Entry, st.text(), st.text())), st.sampled_from(ListForm))
def test_entries_survive_writing_and_reading(entries: list[Entry], form: ListForm) -> None:
    text = format_entries(tuple(entries), form)

    assert parse_entries(text, may_be_lines=form is ListForm.LINES).entries == tuple(entries)
    assert text.isascii()


def test_half_of_a_surrogate_pair_survives() -> None:
    parsed = parse_entries('[{"text_block": "\\ud800", "hash": "h"}]', may_be_lines=False)

    assert "\\ud800" in format_entries(parsed.entries, ListForm.ARRAY)


@given(st.binary(max_size=60), st.booleans())
def test_no_bytes_raise_anything_but_damage(data: bytes, may_be_lines: bool) -> None:
    try:
        parse_entries(decode_text(data), may_be_lines=may_be_lines)
    except JsonDamageError as error:
        assert str(error).endswith(".")
