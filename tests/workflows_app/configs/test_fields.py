from __future__ import annotations

import pytest

from workflows_app.configs.entries import Templating
from workflows_app.configs.fields import FieldType, describe_node, fields_of, fields_of_node
from workflows_app.configs.kinds import ConfigKind, Reference
from workflows_app.configs.models import MODELS
from workflows_app.configs.node_models import NODE_MODELS
from workflows_app.engine.coercion import coerce_numbers
from workflows_app.engine.node_types import NODE_TYPES


def test_every_node_type_has_a_model_and_a_description() -> None:
    assert set(NODE_MODELS) == NODE_TYPES
    assert all(describe_node(name) for name in NODE_TYPES)


@pytest.mark.parametrize("kind", MODELS)
def test_every_field_has_a_title(kind: ConfigKind) -> None:
    assert all(field.title and field.title != name for name, field in fields_of(kind).items())


@pytest.mark.parametrize("node_type", sorted(NODE_TYPES))
def test_every_node_field_has_a_title_and_a_group(node_type: str) -> None:
    assert all(field.title and field.group for field in fields_of_node(node_type).values())


@pytest.mark.parametrize("node_type", sorted(NODE_TYPES))
def test_numbers_that_the_engine_coerces_take_early_variables(node_type: str) -> None:
    for field in fields_of_node(node_type).values():
        is_coerced = coerce_numbers({field.name: 1.0}, {})[field.name] is not None and (
            coerce_numbers({field.name: "7"}, {})[field.name] in (7, 7.0)
        )
        assert (field.templating is Templating.EARLY) is (is_coerced or field.name in ("endpointName", "preset"))


@pytest.mark.parametrize(
    ("kind", "secrets"),
    [(ConfigKind.ENDPOINT, {"apiKey"}), (ConfigKind.MCP_SERVER, {"env", "headers"}), (ConfigKind.USER, set())],
)
def test_secrets(kind: ConfigKind, secrets: set[str]) -> None:
    assert {name for name, field in fields_of(kind).items() if field.is_secret} == secrets


def test_secrets_of_nodes() -> None:
    found = {(kind, name) for kind in NODE_TYPES for name, field in fields_of_node(kind).items() if field.is_secret}

    web = {("WebFetch", name) for name in ("headers", "body", "proxy")}
    assert found == web | {("CurlCommand", "args"), ("CurlCommand", "proxy")}


def test_field_says_what_a_form_needs() -> None:
    field = fields_of_node("Standard")["endpointName"]

    assert (field.type, field.refers_to, field.is_required) == (FieldType.TEXT, Reference.ENDPOINT, True)
    assert (field.is_templated, field.templating) == (True, Templating.EARLY)


@pytest.mark.parametrize("node_type", [None, "standard", "Nothing"])
def test_unknown_type_has_the_fields_of_standard(node_type: str | None) -> None:
    assert fields_of_node(node_type) == fields_of_node("Standard")
