"""Every known node type has a handler."""

from __future__ import annotations

from workflows_app.engine.node_types import NODE_TYPES
from workflows_app.nodes.registry import FAMILIES, build_registry


def test_all_known_types_and_no_others_have_a_handler() -> None:
    assert set(build_registry()) == NODE_TYPES


def test_no_name_belongs_to_two_families() -> None:
    assert sum(len(family) for family in FAMILIES) == len(NODE_TYPES)
