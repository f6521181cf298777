"""Steps of the editor, done on the text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from wilmer_site.lib.errors import InvalidError, NotFoundError
from workflows_app.engine.node_types import NODE_TYPES
from workflows_app.services import node_shelf
from workflows_app.services.workflow_editing import Edited, Operation, apply_operation

PATH = "Workflows/ann/Main.json"
TEXT = '[\n  {"title": "A", "type": "Standard", "endpointName": "E", "preset": "P", "prompt": "x"}\n]'


def do(name: str, text: str = TEXT, **values: Any) -> Edited:
    return apply_operation(text, Operation(name, path=PATH, **values))


def first(edited: Edited) -> dict[str, Any]:
    return dict(json.loads(edited.text)[0])


def test_a_typed_text_is_set() -> None:
    assert do("set", field="prompt", value="y").text == TEXT.replace('"x"', '"y"')


def test_a_number_is_read_and_a_variable_kept() -> None:
    assert first(do("set", field="maxResponseSizeInTokens", value=" 12 "))["maxResponseSizeInTokens"] == 12
    assert first(do("set", field="maxResponseSizeInTokens", value="{size}"))["maxResponseSizeInTokens"] == "{size}"
    assert do("set", field="maxResponseSizeInTokens", value="").text == TEXT


@pytest.mark.parametrize(
    ("field", "value", "is_json"),
    [("maxResponseSizeInTokens", "many", False), ("x", "{", True), ("x", "[" * 2000, True)],
)
def test_a_value_that_cannot_be_read_names_its_field(field: str, value: str, is_json: bool) -> None:
    with pytest.raises(InvalidError) as caught:
        do("set", field=field, value=value, is_json=is_json)
    assert caught.value.extra["field"] == field


def test_a_switch_is_a_boolean_and_is_taken_out() -> None:
    on = do("set", field="is_responder", value="true", is_json=True)
    assert first(on)["is_responder"] is True
    assert do("clear", on.text, field="is_responder").text == TEXT


@pytest.mark.parametrize("node_type", sorted(NODE_TYPES))
def test_every_type_can_be_added(node_type: str) -> None:
    edited = do("add", value=node_type, to=1)
    assert (edited.node, json.loads(edited.text)[1]["type"]) == (1, node_type)


def test_a_new_node_takes_endpoint_and_preset_over() -> None:
    added = json.loads(do("add", value="Standard", to=1).text)[1]
    assert (added["endpointName"], added["preset"]) == ("E", "P")


def test_an_unknown_step_or_type_is_refused() -> None:
    for name, value in (("explode", ""), ("add", "standard")):
        with pytest.raises(InvalidError):
            do(name, value=value)


def test_removing_looks_at_a_neighbour_and_says_what_went() -> None:
    two = do("duplicate").text
    edited = do("remove", two, node=1)
    assert (edited.text, edited.node) == (TEXT, 0)
    assert "Node 2 “A”" in edited.said


def test_a_node_on_the_shelf_comes_back(opened: Path) -> None:
    shelved = do("shelve")
    (item,) = node_shelf.list_items(PATH)
    assert json.loads(shelved.text) == []
    back = do("put-back", shelved.text, value=item.key)
    assert json.loads(back.text) == json.loads(TEXT)
    assert node_shelf.list_items(PATH) == ()


def test_secrets_are_not_put_on_the_shelf(opened: Path) -> None:
    do("shelve", '[{"type": "WebFetch", "headers": {"A": "••••••••#1", "B": "x"}}]')
    (item,) = node_shelf.list_items(PATH)
    assert item.node["headers"] == {"A": "", "B": "x"}


def test_what_left_the_shelf_is_not_found(opened: Path) -> None:
    with pytest.raises(NotFoundError):
        do("put-back", value="nothing")


def test_variables_come_and_go() -> None:
    edited = do("set-variable", field="who", value="3")
    assert json.loads(edited.text)["who"] == "3"
    assert json.loads(do("set-variable", field="who", value="3", is_json=True).text)["who"] == 3
    assert json.loads(do("clear-variable", edited.text, field="who").text) == {"nodes": json.loads(TEXT)}


def test_a_byte_order_mark_goes_when_asked() -> None:
    assert do("strip-mark", "\ufeff" + TEXT).text == TEXT


CHAIN = json.dumps([{"content": "a"}, {"content": "{agent1Output}"}, {"content": "{agent1Output} {agent2Output}"}])


def contents(edited: Edited) -> list[str]:
    return [node["content"] for node in json.loads(edited.text)]


def test_references_to_outputs_follow_a_moved_node() -> None:
    edited = do("move", CHAIN, node=0, to=1)
    assert contents(edited) == ["{agent2Output}", "a", "{agent2Output} {agent1Output}"]
    assert "3 references" in edited.said


def test_references_to_outputs_make_room_for_a_new_node() -> None:
    added = json.loads(do("add", CHAIN, value="StaticResponse", to=1).text)
    assert [node["content"] for node in added[2:]] == ["{agent1Output}", "{agent1Output} {agent3Output}"]
    assert contents(do("duplicate", CHAIN, node=1))[3] == "{agent1Output} {agent2Output}"


def test_references_to_a_deleted_node_are_told() -> None:
    edited = do("remove", CHAIN, node=1)
    assert contents(edited) == ["a", "{agent1Output} {agent2Output}"]
    assert "still named in node 2" in edited.said
    assert contents(do("remove", CHAIN, node=0))[1] == "{agent1Output} {agent1Output}"


@pytest.mark.usefixtures("opened")
def test_a_node_is_put_on_the_shelf_while_the_text_keeps_it() -> None:
    assert do("stow").text == TEXT
    assert [item.node["title"] for item in node_shelf.list_items(PATH)] == ["A"]
