"""JSON Schema of every kind of config file, for editors of any make."""

from __future__ import annotations

from typing import Any, Final

from workflows_app.configs.endpoint_models import RoutingEntry
from workflows_app.configs.entries import META, ConfigModel
from workflows_app.configs.fields import FieldType, fields_of_model
from workflows_app.configs.kinds import ConfigKind
from workflows_app.configs.models import MODELS
from workflows_app.configs.node_models import NODE_MODELS

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def build_schema(kind: ConfigKind) -> dict[str, Any]:
    """The JSON Schema of one kind of file. Keys it does not name are allowed everywhere, as WilmerAI allows them."""
    schema = _BUILDERS[kind]() if kind in _BUILDERS else _model_schema(MODELS[kind])
    return {"$schema": DIALECT, "title": kind.label, **schema}


def _model_schema(model: type[ConfigModel]) -> dict[str, Any]:
    schema = model.model_json_schema()
    schema.pop("title", None)
    for name, field in fields_of_model(model).items():
        described = schema["properties"][name]
        described.pop("default", None) if field.default is None else None
        if field.type in (FieldType.INTEGER, FieldType.NUMBER) and field.is_templated:
            described["type"] = [described["type"], "string"]
        if field.choices:
            described["enum"] = list(field.choices) + ([None] if field.accepts_null else [])
        if field.is_unused:
            described["deprecated"] = True
        if field.is_secret:
            described["writeOnly"] = True
        if META in described:
            described[META] = dict(described[META])
    needed = [name for name, field in fields_of_model(model).items() if field.is_required]
    return {**schema, **({"required": needed} if needed else {})}


def _workflow_schema() -> dict[str, Any]:
    definitions = {name: _node_schema(name) for name in NODE_MODELS}
    nodes = {"type": "array", "items": {"$ref": "#/$defs/node"}}
    return {
        "description": "The nodes in order, or an object with `nodes` whose other keys are custom variables.",
        "anyOf": [nodes, {"type": "object", "properties": {"nodes": nodes}, "required": ["nodes"]}],
        "$defs": {"node": _any_node(), **definitions},
    }


def _node_schema(name: str) -> dict[str, Any]:
    schema = _model_schema(NODE_MODELS[name])
    schema["title"] = name
    schema["properties"]["type"] = {"const": name, "title": "Type"}
    return schema


def _any_node() -> dict[str, Any]:
    """Chooses by `type`, so that editors complete the keys of that type; a node without one is a Standard node."""
    chosen = [
        {
            "if": {"properties": {"type": {"const": name}}, "required": ["type"]},
            "then": {"$ref": f"#/$defs/{name}"},
        }
        for name in NODE_MODELS
    ]
    typeless = {"if": {"not": {"required": ["type"]}}, "then": {"$ref": "#/$defs/Standard"}}
    return {
        "type": "object",
        "properties": {"type": {"enum": list(NODE_MODELS), "title": "Type"}},
        "allOf": [*chosen, typeless],
    }


def _routing_schema() -> dict[str, Any]:
    return {
        "type": "object",
        "description": "Category → workflow and description; the order counts.",
        "additionalProperties": _model_schema(RoutingEntry),
    }


def _preset_schema() -> dict[str, Any]:
    return {
        "type": "object",
        "description": "Request keys as the server wants them.",
        "properties": dict.fromkeys(("messages", "model", "prompt", "tools"), False),
    }


def _any_object() -> dict[str, Any]:
    return {"type": "object", "description": "A JSON Schema that an answer must follow.", "minProperties": 1}


_BUILDERS: Final = {
    ConfigKind.WORKFLOW: _workflow_schema,
    ConfigKind.ROUTING: _routing_schema,
    ConfigKind.PRESET: _preset_schema,
    ConfigKind.STRUCTURED_OUTPUT: _any_object,
}
