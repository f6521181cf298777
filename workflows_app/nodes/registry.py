"""Every node type with its handler. A family offers `HANDLERS` in its `handler` module and is listed here."""

from __future__ import annotations

from collections.abc import Mapping

from workflows_app.engine.node import NodeHandler, Registry
from workflows_app.llm.answers import with_connection
from workflows_app.nodes.files import handler as files
from workflows_app.nodes.flow import handler as flow
from workflows_app.nodes.model import handler as model
from workflows_app.nodes.text import handler as text

FAMILIES: tuple[Mapping[str, NodeHandler], ...] = (model.HANDLERS, flow.HANDLERS, text.HANDLERS, files.HANDLERS)
"""Add a family here; its names must be new."""


def build_registry() -> Registry:
    """The handlers of all node types by name, each connecting its endpoint and cleaning its text as WilmerAI does."""
    return {name: with_connection(handler) for family in FAMILIES for name, handler in family.items()}
