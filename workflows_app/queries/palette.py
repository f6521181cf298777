"""The node types that a workflow may have, and how a new node begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workflows_app.configs.fields import FieldSpec, FieldType, describe_node, fields_of_node
from workflows_app.engine.node_types import FAMILIES

_TAKEN_OVER = ("endpointName", "preset")
"""What a new node has in common with the one before it, most often."""
_EMPTY: Mapping[FieldType, Any] = {FieldType.LIST: [], FieldType.OBJECT: {}, FieldType.SWITCH: False}


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """One node type."""

    type: str
    help: str


@dataclass(frozen=True, slots=True)
class PaletteFamily:
    """Node types that belong together."""

    name: str
    entries: tuple[PaletteEntry, ...]


def list_palette() -> tuple[PaletteFamily, ...]:
    """All node types by family."""
    return tuple(
        PaletteFamily(name, tuple(PaletteEntry(type_, describe_node(type_)) for type_ in types))
        for name, types in FAMILIES.items()
    )


def start_node(node_type: str, before: Sequence[Any] = ()) -> dict[str, Any]:
    """A new node with the keys that its type needs; endpoint and preset as in the nearest node before it."""
    node: dict[str, Any] = {"title": "", "type": node_type}
    for name, spec in fields_of_node(node_type).items():
        if name in _TAKEN_OVER and spec.is_required:
            node[name] = _last(before, name)
        elif spec.is_required or name in ("systemPrompt", "prompt"):
            node[name] = _start(spec)
    return node


def _last(before: Sequence[Any], name: str) -> Any:
    return next((node[name] for node in reversed(before) if isinstance(node, dict) and node.get(name)), "")


def _start(spec: FieldSpec) -> Any:
    if spec.choices:
        return spec.choices[0]
    if spec.type in (FieldType.INTEGER, FieldType.NUMBER):
        return spec.default if spec.default is not None else int(spec.low or 1)
    empty = _EMPTY.get(spec.type, "")
    return type(empty)(empty) if isinstance(empty, list | dict) else empty
