"""The fields of every kind of config file and node type, as forms, checks, schemas and the API need them."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Final

from pydantic.fields import FieldInfo

from workflows_app.configs.entries import META, ConfigModel, Templating
from workflows_app.configs.kinds import ConfigKind, Reference
from workflows_app.configs.models import MODELS
from workflows_app.configs.node_base import StandardNode
from workflows_app.configs.node_models import NODE_MODELS


class FieldType(StrEnum):
    """What a form shows for a value."""

    TEXT = "text"
    LONG_TEXT = "long-text"
    INTEGER = "integer"
    NUMBER = "number"
    SWITCH = "switch"
    CHOICE = "choice"
    LIST = "list"
    OBJECT = "object"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field of a config file or node."""

    name: str
    """The key in the file."""
    title: str
    help: str
    type: FieldType
    default: Any
    """What counts when the key is absent; None: nothing."""
    choices: tuple[Any, ...] = ()
    refers_to: Reference | None = None
    """What the value names, for pickers and checks."""
    templating: Templating = Templating.NONE
    group: str = ""
    low: float | None = None
    high: float | None = None
    is_required: bool = False
    is_secret: bool = False
    is_unused: bool = False
    is_strict: bool = False
    is_coerced: bool = False
    accepts_null: bool = False
    accepts_list: bool = False
    """Text or a list of texts."""

    @property
    def is_templated(self) -> bool:
        """Whether variables may stand in the value."""
        return self.templating is not Templating.NONE


_TYPES: Final[dict[Any, FieldType]] = {
    str: FieldType.TEXT,
    int: FieldType.INTEGER,
    float: FieldType.NUMBER,
    bool: FieldType.SWITCH,
    list: FieldType.LIST,
    dict: FieldType.OBJECT,
}


def fields_of(kind: ConfigKind) -> Mapping[str, FieldSpec]:
    """The fields of a kind of file by name, in the order of a form; empty where any key may stand."""
    return fields_of_model(MODELS[kind]) if kind in MODELS else {}


def fields_of_node(node_type: str | None) -> Mapping[str, FieldSpec]:
    """The fields of a node type by name; an absent or unknown type runs as `Standard`."""
    return fields_of_model(NODE_MODELS.get(str(node_type), StandardNode))


def describe_node(node_type: str) -> str:
    """What a node of this type does, in a sentence or two."""
    return (NODE_MODELS.get(node_type, StandardNode).__doc__ or "").strip()


@cache
def fields_of_model(model: type[ConfigModel]) -> Mapping[str, FieldSpec]:
    """The fields of one model by name."""
    return types.MappingProxyType({name: _build(name, info) for name, info in model.model_fields.items()})


def _build(name: str, info: FieldInfo) -> FieldSpec:
    meta = _meta(info)
    kinds = _alternatives(info.annotation)
    return FieldSpec(
        name=name,
        title=info.title or name,
        help=info.description or "",
        type=_type(kinds, meta),
        default=info.default,
        choices=tuple(meta.get("choices", ())),
        refers_to=Reference(meta["refers_to"]) if "refers_to" in meta else None,
        templating=Templating(meta.get("templating", Templating.NONE)),
        group=meta.get("group", ""),
        low=_bound(info, "ge"),
        high=_bound(info, "le"),
        is_required=bool(meta.get("is_needed")),
        is_secret=bool(meta.get("is_secret")),
        is_unused=bool(meta.get("is_unused")),
        is_strict=bool(meta.get("is_strict")),
        is_coerced=bool(meta.get("is_coerced")),
        accepts_null=type(None) in kinds,
        accepts_list=str in kinds and list in kinds,
    )


def _meta(info: FieldInfo) -> dict[str, Any]:
    extra = info.json_schema_extra
    found = extra.get(META, {}) if isinstance(extra, dict) else {}
    return dict(found) if isinstance(found, dict) else {}


def _type(kinds: tuple[Any, ...], meta: Mapping[str, Any]) -> FieldType:
    if meta.get("choices"):
        return FieldType.CHOICE
    if meta.get("is_multiline"):
        return FieldType.LONG_TEXT
    return next((_TYPES[kind] for kind in kinds if kind in _TYPES), FieldType.ANY)


def _alternatives(annotation: Any) -> tuple[Any, ...]:
    """The plain types an annotation allows: `str | None` gives `str` and `NoneType`."""
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return tuple(kind for part in typing.get_args(annotation) for kind in _alternatives(part))
    return (typing.get_origin(annotation) or annotation,)


def _bound(info: FieldInfo, name: str) -> float | None:
    return next((getattr(item, name) for item in info.metadata if hasattr(item, name)), None)
