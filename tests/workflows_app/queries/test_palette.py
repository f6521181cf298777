"""The palette names every node type, and every new node has the keys its type needs."""

from __future__ import annotations

import pytest

from workflows_app.configs.fields import fields_of_node
from workflows_app.engine.node_types import NODE_TYPES
from workflows_app.queries.palette import list_palette, start_node


def test_every_type_is_there_once_with_help() -> None:
    entries = [entry for family in list_palette() for entry in family.entries]
    assert sorted(entry.type for entry in entries) == sorted(NODE_TYPES)
    assert all(entry.help.endswith(".") for entry in entries)


@pytest.mark.parametrize("node_type", sorted(NODE_TYPES))
def test_a_new_node_has_what_it_needs(node_type: str) -> None:
    needed = {name for name, spec in fields_of_node(node_type).items() if spec.is_required}
    assert needed <= start_node(node_type).keys()
