"""Nodes and variables of a workflow's text, in both of its forms."""

from __future__ import annotations

import json

import pytest

from workflows_app.engine import workflow_edits as edits
from workflows_app.errors import ConfigInvalidError

PLAIN = '[\n  {"title": "A", "type": "Standard"},\n  {"title": "B"}\n]'
NAMED = '{\n  "who": "Edda",\n  "nodes": [{"title": "A"}]\n}'


def titles(text: str) -> list[str]:
    return [node["title"] for node in edits.read_outline(text).nodes]


@pytest.mark.parametrize(("text", "names", "is_object"), [(PLAIN, {}, False), (NAMED, {"who": "Edda"}, True)])
def test_outline_has_nodes_and_variables(text: str, names: dict[str, str], is_object: bool) -> None:
    outline = edits.read_outline(text)
    assert (outline.nodes[0]["title"], outline.variables, outline.is_object) == ("A", names, is_object)


@pytest.mark.parametrize("text", ["3", '{"nodes": {}}', '{"nodes": null}', "[1,"])
def test_what_is_no_workflow_says_so(text: str) -> None:
    with pytest.raises(ConfigInvalidError):
        edits.read_outline(text)


@pytest.mark.parametrize("text", [PLAIN, NAMED])
def test_nodes_are_added_doubled_moved_and_removed(text: str) -> None:
    text = edits.add_node(text, 1, {"title": "N"})
    assert titles(text)[:2] == ["A", "N"]
    text = edits.move_node(text, 1, 0)
    assert titles(text)[:2] == ["N", "A"]
    text = edits.duplicate_node(text, 0)
    assert titles(text)[:3] == ["N", "N", "A"]
    assert titles(edits.remove_node(text, 0))[:2] == ["N", "A"]


def test_an_object_without_nodes_gets_them() -> None:
    assert json.loads(edits.add_node('{"who": 1}', 0, {"title": "A"})) == {"who": 1, "nodes": [{"title": "A"}]}


def test_a_property_changes_alone() -> None:
    assert edits.set_field(PLAIN, 0, "title", "Z") == PLAIN.replace('"A"', '"Z"')
    assert edits.remove_field(PLAIN, 0, "type") == PLAIN.replace(', "type": "Standard"', "")
    assert edits.remove_field(PLAIN, 0, "gone") == PLAIN


def test_a_new_title_comes_first_and_other_keys_last() -> None:
    text = edits.set_field('[{"type": "Standard"}]', 0, "title", "T")
    assert text == '[{"title": "T", "type": "Standard"}]'
    assert edits.set_field(text, 0, "prompt", "P") == '[{"title": "T", "type": "Standard", "prompt": "P"}]'


def test_a_variable_turns_a_list_into_the_other_form() -> None:
    text = edits.set_variable(PLAIN, "who", "Edda")
    assert json.loads(text) == {"nodes": json.loads(PLAIN), "who": "Edda"}
    assert '\n    {"title": "A", "type": "Standard"},\n' in text
    assert json.loads(edits.remove_variable(text, "who")) == {"nodes": json.loads(PLAIN)}


def test_the_nodes_are_no_variable() -> None:
    with pytest.raises(ConfigInvalidError):
        edits.set_variable(NAMED, "nodes", "x")
    with pytest.raises(ConfigInvalidError):
        edits.remove_variable(NAMED, "nodes")


def test_a_node_that_is_gone_is_named() -> None:
    with pytest.raises(ConfigInvalidError, match="no node 3"):
        edits.remove_node(PLAIN, 2)
