"""Edits of a JSON text change what they name and not one character more."""

from __future__ import annotations

import json

import pytest

from tests.conftest import SHARED
from wilmer_site.lib.errors import TooLargeError
from workflows_app.engine import json_text
from workflows_app.engine.json_places import MAX_CHARACTERS
from workflows_app.errors import ConfigInvalidError

TEXT = '{\r\n\t"a" : 1.0,\r\n\t"b": [ {"x":"\\u00e9"},\r\n\t\t{"y": 2} ],\r\n\t"c": []\r\n}'
FORMS = [
    TEXT,
    '[\n  {"type": "Standard"},\n  {\n    "type": "Conditional"\n  }\n]\n',
    '{"nodes":[{"a":1},{"b":"}, {"}],"n":-1.5E+3}',
    "\ufeff[]\n",
    "{}",
]


@pytest.mark.parametrize("text", FORMS)
def test_the_places_are_those_of_the_values(text: str) -> None:
    parsed = json_text.parse(text)
    assert json_text.read_value(text, parsed.root) == json.loads(text.removeprefix("\ufeff"))


def test_setting_a_value_changes_only_its_bytes() -> None:
    assert json_text.set_value(TEXT, ("b", 1, "y"), "ü") == TEXT.replace('"y": 2', '"y": "\\u00fc"')
    assert json_text.set_value(TEXT, ("a",), True) == TEXT.replace("1.0", "true")


def test_setting_what_is_there_changes_nothing() -> None:
    assert json_text.set_value(TEXT, ("a",), 1.0) == TEXT
    assert json_text.set_value(TEXT, ("b", 0, "x"), "é") == TEXT
    assert json_text.set_value(TEXT, ("a",), 1) != TEXT


def test_a_new_key_comes_last_and_looks_like_its_neighbours() -> None:
    assert json_text.set_value(TEXT, ("d",), {"k": 1}) == TEXT.replace(
        '"c": []', '"c": [],\r\n\t"d": {\r\n\t\t"k": 1\r\n\t}'
    )
    assert json_text.set_value("{}", ("a",), 1) == '{\n    "a": 1\n}'


def test_of_a_key_that_stands_twice_the_last_is_set() -> None:
    assert json_text.set_value('{"a": 1, "a": 2}', ("a",), 3) == '{"a": 1, "a": 3}'
    assert [key.path for key in json_text.parse('{"a": 1, "a": 2}').duplicates] == [("a",)]


@pytest.mark.parametrize(
    ("path", "left"),
    [
        (("a",), TEXT.replace('"a" : 1.0,\r\n\t', "")),
        (("c",), TEXT.replace(',\r\n\t"c": []', "")),
        (("b", 1), TEXT.replace(',\r\n\t\t{"y": 2}', "")),
        (("b", 1, "y"), TEXT.replace('{"y": 2}', "{}")),
    ],
)
def test_removing_takes_the_comma_along(path: tuple[str | int, ...], left: str) -> None:
    assert json_text.remove(TEXT, path) == left


def test_items_are_put_in_where_asked() -> None:
    assert json_text.insert_item("[1, 2]", (), 1, 9) == "[1, 9, 2]"
    assert json_text.insert_item("[\n  1\n]", (), 0, 9) == "[\n  9,\n  1\n]"
    assert json_text.insert_item("[\n  1\n]", (), 5, {"a": []}) == '[\n  1,\n  {\n    "a": []\n  }\n]'
    assert json_text.insert_item('{"n":\n[]}', ("n",), 0, 1) == '{"n":\n[\n    1\n]}'


def test_items_move_and_double_as_they_are_written() -> None:
    text = '[\n  {"a":1},\n\n  {"b":2}, {"c":3}\n]'
    assert json_text.move_item(text, (2,), 0) == '[\n  {"c":3},\n\n  {"a":1}, {"b":2}\n]'
    assert json_text.move_item(text, (0,), 0) == text
    assert json_text.duplicate_item(text, (0,)) == text.replace('{"a":1},', '{"a":1},\n  {"a":1},')


def test_a_key_gets_another_name_in_its_place() -> None:
    assert json_text.rename_key(TEXT, ("a",), "z") == TEXT.replace('"a"', '"z"')
    with pytest.raises(ConfigInvalidError, match="already"):
        json_text.rename_key(TEXT, ("a",), "b")


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('{"a": 1,}', 1, 9),
        ('{\r\n"a" 1}', 2, 5),
        ("[1\r2]", 2, 1),
        ("{\n// x\n}", 2, 1),
        ("", 1, 1),
        ('["a\n"]', 1, 4),
        ('{"a": 1', 1, 8),
        ("{} x", 1, 4),
        ("{'a': 1}", 1, 2),
        ('["\\q"]', 1, 3),
        ("[" * 300, 1, 202),
    ],
)
def test_a_mistake_is_named_with_its_place(text: str, line: int, column: int) -> None:
    with pytest.raises(ConfigInvalidError) as caught:
        json_text.parse(text)
    assert (caught.value.extra["line"], caught.value.extra["column"]) == (line, column)


def test_a_text_has_a_limit() -> None:
    with pytest.raises(TooLargeError):
        json_text.parse(" " * (MAX_CHARACTERS + 1))


def test_paths_that_lead_nowhere_are_refused() -> None:
    for act in (lambda: json_text.remove(TEXT, ("q",)), lambda: json_text.set_value(TEXT, ("q", "r"), 1)):
        with pytest.raises(ConfigInvalidError, match="no such place"):
            act()


def test_every_public_config_takes_every_edit() -> None:
    for file in sorted((SHARED / "wilmer-public/Configs").rglob("*.json")):
        text = file.read_bytes().decode()
        root = json_text.parse(text).root
        for index in range(min(4, len(root.members))):
            key = root.members[index].key
            value = json_text.read_value(text, root.members[index].value)
            assert json_text.set_value(text, (key,), value) == text
            changed = json.loads(json_text.set_value(text, (key,), ["new"]))
            assert changed == _with(json.loads(text), key, ["new"])
            assert json.loads(json_text.remove(text, (key,))) == _without(json.loads(text), key)


def _with(value: object, key: str | int, new: object) -> object:
    value[key] = new  # type: ignore[index]
    return value


def _without(value: object, key: str | int) -> object:
    del value[key]  # type: ignore[attr-defined]
    return value
