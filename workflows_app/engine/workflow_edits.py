"""Edits of a workflow's text, node by node. Pure: a text goes in, a text comes out (see json_text.py)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workflows_app.engine import json_text
from workflows_app.engine.json_places import Path, Place, find_place, get_place, parse, read_value
from workflows_app.errors import ConfigInvalidError

MAX_NODES = 2_000
_OUTPUT = re.compile(r"\bagent([1-9]\d{0,5})Output\b")


@dataclass(frozen=True, slots=True)
class Outline:
    """What a text has of nodes and variables."""

    nodes: tuple[Any, ...]
    """Values in order; a node that is no object is here as it is."""
    places: tuple[Place, ...]
    variables: Mapping[str, Any]
    is_object: bool
    """Whether the file has the form with variables."""


def read_outline(text: str) -> Outline:
    """The nodes and variables of a text. Raises ConfigInvalidError for text that is no JSON, or no workflow."""
    document = parse(text)
    root = document.root
    if root.kind not in ("list", "object"):
        raise ConfigInvalidError("A workflow is a list of nodes, or an object with `nodes`.")
    place = root if root.kind == "list" else document.find(("nodes",))
    if place is not None and place.kind != "list":
        raise ConfigInvalidError("`nodes` must be a list.")
    members = place.members if place else ()
    variables = {} if root.kind == "list" else {
        str(member.key): read_value(text, member.value) for member in root.members if member.key != "nodes"
    }  # fmt: skip
    return Outline(
        nodes=tuple(read_value(text, member.value) for member in members),
        places=tuple(member.value for member in members),
        variables=variables,
        is_object=root.kind == "object",
    )


def path_of_nodes(text: str) -> Path:
    """Where the list of nodes is: the document itself, or its key `nodes`."""
    return () if parse(text).root.kind == "list" else ("nodes",)


def add_node(text: str, position: int, node: Mapping[str, Any]) -> str:
    """Put a node before the one that has this 0-based position now; a text without `nodes` gets them."""
    path = path_of_nodes(text)
    place = find_place(text, path)
    if place is None:
        return json_text.set_value(text, path, [dict(node)])
    if len(place.members) >= MAX_NODES:
        raise ConfigInvalidError(f"A workflow has at most {MAX_NODES:,} nodes here.")
    return json_text.insert_item(text, path, position, dict(node))


def remove_node(text: str, position: int) -> str:
    """Take a node out."""
    return json_text.remove(text, _path(text, position))


def duplicate_node(text: str, position: int) -> str:
    """Put a copy of a node behind it."""
    return json_text.duplicate_item(text, _path(text, position))


def move_node(text: str, position: int, to: int) -> str:
    """Give a node another position; `renumber_outputs` is the caller's."""
    return json_text.move_item(text, _path(text, position), to)


def renumber_outputs(text: str, numbers: Mapping[int, int]) -> tuple[str, int]:
    """Let `agentNOutput` follow nodes that get other numbers (from 1); also gives how many were changed.

    Outputs are known by position (workflows.md §4), so a node that moves would silently be taken for another one.
    """
    changed = 0

    def follow(found: re.Match[str]) -> str:
        nonlocal changed
        number = int(found.group(1))
        changed += numbers.get(number, number) != number
        return f"agent{numbers.get(number, number)}Output"

    return _OUTPUT.sub(follow, text), changed


def list_users_of_output(text: str, number: int) -> list[int]:
    """The numbers (from 1) of the nodes that name the output of node `number`."""
    name = f"agent{number}Output"
    places = read_outline(text).places
    return [
        at
        for at, place in enumerate(places, start=1)
        if any(found.group() == name for found in _OUTPUT.finditer(text, place.start, place.end))
    ]


def set_field(text: str, position: int, field: str, value: Any) -> str:
    """Set a property of a node; a new one comes last, but `title` and `type` first."""
    path = _path(text, position)
    is_new = find_place(text, (*path, field)) is None
    text = json_text.set_value(text, (*path, field), value)
    if is_new and field in ("title", "type"):
        return json_text.move_item(text, (*path, field), 0)
    return text


def remove_field(text: str, position: int, field: str) -> str:
    """Take a property out of a node, if it has it."""
    path = (*_path(text, position), field)
    return json_text.remove(text, path) if find_place(text, path) is not None else text


def replace_node(text: str, position: int, node: Any) -> str:
    """Put another node in the place of one."""
    return json_text.set_value(text, _path(text, position), node)


def set_variable(text: str, name: str, value: Any) -> str:
    """Set a variable of the workflow; a file that is a mere list of nodes becomes an object first."""
    if name == "nodes" or not name.strip():
        raise ConfigInvalidError("A variable needs a name other than `nodes`.", field="name")
    return json_text.set_value(as_object(text), (name,), value)


def remove_variable(text: str, name: str) -> str:
    """Take a variable away."""
    if name == "nodes":
        raise ConfigInvalidError("The nodes are no variable.", field="name")
    return json_text.remove(text, (name,))


def as_object(text: str) -> str:
    """The same workflow in the form that can have variables."""
    root = parse(text).root
    if root.kind == "object":
        return text
    step, end = json_text.find_indent(text), json_text.find_line_end(text)
    inner = text[root.start : root.end].replace(end, end + step)
    return f'{text[: root.start]}{{{end}{step}"nodes": {inner}{end}}}{text[root.end :]}'


def node_text(text: str, position: int) -> str:
    """A node as it is written."""
    place = get_place(text, _path(text, position))
    return text[place.start : place.end]


def _path(text: str, position: int) -> Path:
    path = (*path_of_nodes(text), position)
    if find_place(text, path) is None:
        raise ConfigInvalidError(f"There is no node {position + 1} any more.", node=position + 1)
    return path
