"""One step of editing a workflow: what a form or a card asks for, done on the text."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from wilmer_site.lib.errors import InvalidError
from workflows_app.configs.fields import FieldSpec, fields_of_node
from workflows_app.configs.form_values import ABSENT, choose_control, read_text
from workflows_app.engine import workflow_edits as edits
from workflows_app.engine.config_secrets import is_masked
from workflows_app.engine.node_types import NODE_TYPES
from workflows_app.queries.palette import start_node
from workflows_app.services import node_shelf


@dataclass(frozen=True, slots=True)
class Operation:
    """What is to be done to a text."""

    name: str
    node: int = 0
    """0-based position of the node that it is about."""
    to: int = 0
    field: str = ""
    value: str = ""
    is_json: bool = False
    """Whether `value` is JSON, not text as typed."""
    path: str = ""
    """The file, for what the shelf keeps."""


@dataclass(frozen=True, slots=True)
class Edited:
    """A text after a step, and the node that is looked at then."""

    text: str
    node: int
    said: str = ""
    """What was done, for the person; empty when the page shows it anyway."""


def apply_operation(text: str, operation: Operation) -> Edited:
    """Do one step. Raises InvalidError with `field` when the value cannot be used."""
    act = _ACTS.get(operation.name)
    if act is None:
        raise InvalidError(f"There is no step {operation.name[:40]!r}.", field="op")
    return act(text, operation)


def parse_json(field: str, raw: str) -> Any:
    """A value typed as JSON. Raises InvalidError that names the field, line and column."""
    try:
        return json.loads(raw)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InvalidError(f"{field} is no JSON: {error.msg}, {place}.", field=field) from None
    except (ValueError, RecursionError):
        raise InvalidError(f"{field} is no JSON that can be read.", field=field) from None


def _refresh(text: str, operation: Operation) -> Edited:
    return Edited(text, operation.node)


def _set(text: str, operation: Operation) -> Edited:
    node, field = _node_at(text, operation.node), operation.field
    if not isinstance(node, dict):
        raise InvalidError("This node is no object, so it has no properties. Mend it in the JSON.", field=field)
    spec = fields_of_node(node.get("type")).get(field)
    value = parse_json(field, operation.value) if spec is None or operation.is_json else _typed(spec, node, operation)
    if value is ABSENT:
        return Edited(edits.remove_field(text, operation.node, field), operation.node)
    return Edited(edits.set_field(text, operation.node, field, value), operation.node)


def _typed(spec: FieldSpec, node: Mapping[str, Any], operation: Operation) -> Any:
    """The value that was typed into the control of this field."""
    before = node.get(spec.name, ABSENT)
    try:
        return read_text(spec, choose_control(spec, before), operation.value, before)
    except InvalidError as error:
        raise InvalidError(f"{spec.title}: {error.message}", field=spec.name) from None


def _clear(text: str, operation: Operation) -> Edited:
    return Edited(edits.remove_field(text, operation.node, operation.field), operation.node)


def _add(text: str, operation: Operation) -> Edited:
    if operation.value not in NODE_TYPES:
        raise InvalidError(f"There is no node type {operation.value[:60]!r}.", field="value")
    nodes = edits.read_outline(text).nodes
    at = min(max(operation.to, 0), len(nodes))
    text, followed = _make_room(text, at)
    return Edited(edits.add_node(text, at, start_node(operation.value, nodes[:at])), at, _follow_words(followed))


def _remove(text: str, operation: Operation) -> Edited:
    words = f"{_label(text, operation.node)} is deleted; Undo brings it back."
    return _take_out(text, operation.node, words)


def _duplicate(text: str, operation: Operation) -> Edited:
    text, followed = _make_room(text, operation.node + 1)
    return Edited(edits.duplicate_node(text, operation.node), operation.node + 1, _follow_words(followed))


def _move(text: str, operation: Operation) -> Edited:
    order = list(range(1, len(edits.read_outline(text).nodes) + 1))
    to = min(max(operation.to, 0), max(0, len(order) - 1))
    text = edits.move_node(text, operation.node, to)
    order.insert(to, order.pop(operation.node))
    text, followed = edits.renumber_outputs(text, {old: new for new, old in enumerate(order, start=1)})
    return Edited(text, to, _follow_words(followed))


def _shelve(text: str, operation: Operation) -> Edited:
    words = f"{_label(text, operation.node)} is on the shelf; the file has it no more."
    edited = _take_out(text, operation.node, words)
    node_shelf.put(operation.path, _without_masks(_node_at(text, operation.node)), position=operation.node)
    return edited


def _stow(text: str, operation: Operation) -> Edited:
    """On the shelf, and in the text still: undoing takes it out of there by itself."""
    node_shelf.put(operation.path, _without_masks(_node_at(text, operation.node)), position=operation.node)
    return Edited(text, operation.node)


def _put_back(text: str, operation: Operation) -> Edited:
    item = node_shelf.get(operation.path, operation.value)
    at = min(item.position, len(edits.read_outline(text).nodes))
    text, followed = _make_room(text, at)
    edited = Edited(edits.add_node(text, at, item.node), at, _follow_words(followed))
    node_shelf.take(operation.path, operation.value)
    return edited


def _make_room(text: str, at: int) -> tuple[str, int]:
    """Outputs of the nodes from this 0-based position on get the next number."""
    count = len(edits.read_outline(text).nodes)
    return edits.renumber_outputs(text, {number: number + 1 for number in range(at + 1, count + 1)})


def _take_out(text: str, at: int, words: str) -> Edited:
    """Without a node; later outputs get the number before, and who used its output is told."""
    nodes = edits.read_outline(text).nodes
    users = [number for number in edits.list_users_of_output(text, at + 1) if number != at + 1]
    left, followed = edits.renumber_outputs(
        edits.remove_node(text, at), {number: number - 1 for number in range(at + 2, len(nodes) + 1)}
    )
    told = [words, _follow_words(followed)]
    if users:
        now = ", ".join(str(number - (number > at + 1)) for number in users)
        told.append(f"Its output is still named in node {now}: look there.")
    return Edited(left, min(at, max(0, len(nodes) - 2)), " ".join(word for word in told if word))


def _follow_words(count: int) -> str:
    if not count:
        return ""
    return f"{count} reference{'s' if count != 1 else ''} to outputs followed their nodes."


def _drop(text: str, operation: Operation) -> Edited:
    node_shelf.take(operation.path, operation.value)
    return Edited(text, operation.node)


def _set_variable(text: str, operation: Operation) -> Edited:
    value = parse_json(operation.field, operation.value) if operation.is_json else operation.value
    return Edited(edits.set_variable(text, operation.field, value), operation.node)


def _clear_variable(text: str, operation: Operation) -> Edited:
    return Edited(edits.remove_variable(text, operation.field), operation.node)


def _strip_mark(text: str, operation: Operation) -> Edited:
    return Edited(text.removeprefix("\ufeff"), operation.node)


def _node_at(text: str, position: int) -> Any:
    nodes = edits.read_outline(text).nodes
    if not 0 <= position < len(nodes):
        raise InvalidError(f"There is no node {position + 1} any more.", field="node")
    return nodes[position]


def _label(text: str, position: int) -> str:
    node = _node_at(text, position)
    title = str(node.get("title") or node.get("agentName") or "") if isinstance(node, Mapping) else ""
    return f"Node {position + 1}" + (f" “{title[:60]}”" if title else "")


def _without_masks(value: Any) -> Any:
    """Secrets are not put on a shelf: their masks would mean nothing there."""
    if isinstance(value, dict):
        return {key: _without_masks(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_masks(item) for item in value]
    return "" if is_masked(value) else value


_ACTS: Mapping[str, Callable[[str, Operation], Edited]] = {
    "refresh": _refresh,
    "set": _set,
    "clear": _clear,
    "add": _add,
    "remove": _remove,
    "duplicate": _duplicate,
    "move": _move,
    "shelve": _shelve,
    "stow": _stow,
    "put-back": _put_back,
    "drop": _drop,
    "set-variable": _set_variable,
    "clear-variable": _clear_variable,
    "strip-mark": _strip_mark,
}
