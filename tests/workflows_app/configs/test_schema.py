from __future__ import annotations

import json

import pytest

from workflows_app.configs.fields import fields_of
from workflows_app.configs.kinds import ConfigKind
from workflows_app.configs.models import MODELS
from workflows_app.configs.schema import build_schema
from workflows_app.engine.node_types import NODE_TYPES


@pytest.mark.parametrize("kind", ConfigKind)
def test_schema_is_json_and_names_its_kind(kind: ConfigKind) -> None:
    schema = json.loads(json.dumps(build_schema(kind)))

    assert (schema["title"], schema["$schema"]) == (kind.label, "https://json-schema.org/draft/2020-12/schema")


@pytest.mark.parametrize("kind", MODELS)
def test_schema_has_every_field_and_lets_others_pass(kind: ConfigKind) -> None:
    schema = build_schema(kind)

    assert list(schema["properties"]) == list(fields_of(kind))
    assert schema["additionalProperties"] is True


def test_secrets_are_write_only_and_dead_fields_deprecated() -> None:
    properties = build_schema(ConfigKind.ENDPOINT)["properties"]

    assert properties["apiKey"]["writeOnly"] is True
    assert properties["thinkTagText"]["deprecated"] is True


def test_workflow_schema_has_every_node_type() -> None:
    schema = build_schema(ConfigKind.WORKFLOW)

    assert set(schema["$defs"]) == {*NODE_TYPES, "node"}
    assert schema["$defs"]["WebFetch"]["properties"]["onError"]["enum"] == ["raise", "return"]


def test_number_that_takes_variables_may_be_text() -> None:
    standard = build_schema(ConfigKind.WORKFLOW)["$defs"]["Standard"]["properties"]

    assert standard["maxResponseSizeInTokens"]["type"] == ["integer", "string"]
