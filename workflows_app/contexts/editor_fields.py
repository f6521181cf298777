"""The form of one node: a control for every field, the important ones first."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from workflows_app.configs.fields import FieldSpec, FieldType
from workflows_app.configs.form_values import ABSENT, Control, choose_control, show_value
from workflows_app.configs.kinds import Reference
from workflows_app.engine.config_secrets import is_masked
from workflows_app.engine.node_types import FAMILIES, NODE_TYPES

_ALWAYS = ("title", "is_responder", "systemPrompt", "prompt")
_TYPE = "type"
_OTHER = "Other keys"
_PATHS = (Reference.PATH, None)


@dataclass(frozen=True, slots=True)
class FieldRow:
    """One field of the form."""

    name: str
    title: str
    help: str
    control: str
    """A value of Control, or `items` (a list of texts), `pairs` (an object of texts)."""
    text: str = ""
    items: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    choices: tuple[str, ...] = ()
    names: str = ""
    """Id of the list of names to pick from; empty for none."""
    default: str = ""
    is_present: bool = False
    is_templated: bool = False
    is_required: bool = False
    is_on: bool = False

    @property
    def id(self) -> str:
        """Of the control."""
        return f"field-{self.name}"


@dataclass(frozen=True, slots=True)
class FieldSection:
    """Fields that belong together; all but the first are folded."""

    title: str
    rows: tuple[FieldRow, ...]


@dataclass(frozen=True, slots=True)
class NodeForm:
    """The form of the node that is looked at."""

    number: int
    """From 1."""
    type: str
    is_known: bool
    types: tuple[tuple[str, tuple[str, ...]], ...]
    """Families with their types, for the choice."""
    help: str
    main: tuple[FieldRow, ...]
    sections: tuple[FieldSection, ...]
    names: tuple[tuple[str, tuple[str, ...]], ...]
    """Lists to pick from, by id."""


def build_form(
    position: int,
    node: Mapping[str, Any],
    specs: Mapping[str, FieldSpec],
    names: Mapping[Reference, tuple[str, ...]],
    *,
    help: str = "",
) -> NodeForm:
    """The form of a node with the values it has."""
    rows = {name: _build_row(spec, node, names) for name, spec in specs.items() if name != _TYPE}
    shown = [name for name, spec in specs.items() if name in rows and _is_main(spec, node)]
    kind = str(node.get(_TYPE, "Standard"))
    return NodeForm(
        number=position + 1,
        type=kind,
        is_known=kind in NODE_TYPES,
        types=tuple((family, types) for family, types in FAMILIES.items()),
        help=help,
        main=tuple(rows[name] for name in sorted(shown, key=_rank)),
        sections=(*_sections(rows, specs, shown), *_others(node, specs)),
        names=tuple((_list_id(reference), found) for reference, found in names.items() if found),
    )


def _is_main(spec: FieldSpec, node: Mapping[str, Any]) -> bool:
    return spec.name in node or spec.is_required or spec.name in _ALWAYS


def _rank(name: str) -> int:
    """The title leads, prompts come last, everything else as the type lists it."""
    return {"title": 0, "systemPrompt": 2, "prompt": 3}.get(name, 1)


def _sections(rows: Mapping[str, FieldRow], specs: Mapping[str, FieldSpec], shown: list[str]) -> Iterator[FieldSection]:
    rest = [name for name in rows if name not in shown and not specs[name].is_unused]
    for group in dict.fromkeys(specs[name].group for name in rest):
        members = tuple(rows[name] for name in rest if specs[name].group == group)
        yield FieldSection(group or "More", members)


def _others(node: Mapping[str, Any], specs: Mapping[str, FieldSpec]) -> Iterator[FieldSection]:
    unknown = [name for name in node if name not in specs]
    if unknown:
        yield FieldSection(_OTHER, tuple(_unknown_row(name, node[name]) for name in unknown))


def _unknown_row(name: str, value: Any) -> FieldRow:
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return FieldRow(name, name, "Nothing reads this key.", Control.JSON, text, is_present=True)


def _build_row(spec: FieldSpec, node: Mapping[str, Any], names: Mapping[Reference, tuple[str, ...]]) -> FieldRow:
    value = node.get(spec.name, ABSENT)
    control, items, pairs = _control_of(spec, value)
    return FieldRow(
        name=spec.name,
        title=spec.title,
        help=spec.help,
        control=control,
        text=_text_of(control, value),
        items=items,
        pairs=pairs,
        choices=tuple(str(choice) for choice in spec.choices),
        names=_list_id(spec.refers_to) if spec.refers_to and names.get(spec.refers_to) else "",
        default=_default_of(spec),
        is_present=value is not ABSENT,
        is_templated=spec.is_templated,
        is_required=spec.is_required,
        is_on=bool(value) if value is not ABSENT else bool(spec.default),
    )


def _control_of(spec: FieldSpec, value: Any) -> tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]]:
    if spec.is_secret:
        return Control.SECRET, (), ()
    if spec.type is FieldType.LIST and (value is ABSENT or _is_texts(value)):
        return "items", tuple(value) if value is not ABSENT else (), ()
    if spec.type is FieldType.OBJECT and isinstance(value, dict) and _is_texts(list(value.values())):
        return "pairs", (), tuple(value.items())
    control = choose_control(spec, value)
    if control in (Control.FIXED, Control.LINES):
        control = Control.JSON
    return control, (), ()


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _text_of(control: str, value: Any) -> str:
    if value is ABSENT:
        return ""
    if control == Control.SECRET:
        return "" if value in ("", None, [], {}) else ("set" if _has_mask(value) else "typed")
    return show_value(Control(control), value) if control in set(Control) else ""


def _has_mask(value: Any) -> bool:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else (value,)
    return any(is_masked(part) for part in parts)


def _default_of(spec: FieldSpec) -> str:
    if spec.default in (None, "", [], {}) or isinstance(spec.default, bool):
        return ""
    return str(spec.default).replace("\n", "↵")


def _list_id(reference: Reference | None) -> str:
    return f"names-{reference.value}" if reference else ""
