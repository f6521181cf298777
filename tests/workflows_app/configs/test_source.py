from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflows_app.configs.source import format_pointer, parse_pointer, parse_source
from workflows_app.errors import ConfigInvalidError

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


def dig(value: Any, pointer: tuple[str | int, ...]) -> Any:
    for part in pointer:
        value = value[part]
    return value


@given(VALUES, st.sampled_from([None, 1, 4]))
def test_every_value_stands_where_it_is_said_to_stand(value: Any, indent: int | None) -> None:
    source = parse_source(json.dumps(value, indent=indent))

    for pointer, span in source.places.spans.items():
        assert json.loads(source.text[span.start : span.end]) == dig(value, pointer)


def test_line_and_column_are_those_of_the_key() -> None:
    source = parse_source('{\n  "a": [1,\n    {"b": 2}]\n}')

    assert source.locate(("a", 1, "b")) == (3, 6)
    assert source.locate(("a", 1, "gone")) == (3, 5)
    assert source.locate(()) == (1, 1)


def test_duplicates_are_told_where_they_come_again() -> None:
    source = parse_source('{"a": {"b": 1, "b": 2}}')

    assert source.has_duplicates
    assert source.places.duplicates == ((("a", "b"), 15),)


@pytest.mark.parametrize(
    ("text", "line", "column"), [("{", 1, 2), ('{\n"a": }', 2, 6), ("", 1, 1), ("[" * 100_000, 1, 1)]
)
def test_mistake_names_its_place(text: str, line: int, column: int) -> None:
    with pytest.raises(ConfigInvalidError) as caught:
        parse_source(text)

    assert (caught.value.extra["line"], caught.value.extra["column"]) == (line, column)


def test_pointers_escape_what_separates() -> None:
    assert format_pointer(("a/b", 0, "c~d")) == "/a~1b/0/c~0d"
    assert parse_pointer("/a~1b/0/c~0d") == ("a/b", 0, "c~d")
    assert parse_pointer("") == ()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r'"a\ud800b"', "a\ufffdb"),
        (r'"\uDC00"', "\ufffd"),
        (r'"\ud83d\ude00"', "😀"),
        (r'"\ud83d\ud83d\ude00"', "\ufffd😀"),
        (r'"\\ud800"', r"\ud800"),
        (r'{"\ud800": 1}', {"\ufffd": 1}),
    ],
)
def test_half_a_character_is_shown_as_what_it_is(text: str, value: Any) -> None:
    source = parse_source(text)

    assert source.value == value
    assert len(source.text) == len(text)


def test_key_with_half_a_character_stands_where_it_is_written() -> None:
    assert parse_source('{\n "\\ud800": 1}').locate(("\ufffd",)) == (2, 2)
