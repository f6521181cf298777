"""Every node type with its handler. A family offers `HANDLERS` in its `handler` module and is listed here."""

from __future__ import annotations

from collections.abc import Mapping

from workflows_app.engine.node import NodeHandler, Registry
from workflows_app.llm.answers import with_connection
from workflows_app.nodes.files import handler as files
from workflows_app.nodes.flow import handler as flow
from workflows_app.nodes.images import handler as images
from workflows_app.nodes.knowledge import handler as knowledge
from workflows_app.nodes.memory import handler as memory
from workflows_app.nodes.model import handler as model
from workflows_app.nodes.text import handler as text
from workflows_app.nodes.tools import handler as tools
from workflows_app.nodes.web import handler as web

FAMILIES: tuple[Mapping[str, NodeHandler], ...] = (
    model.HANDLERS,
    flow.HANDLERS,
    text.HANDLERS,
    files.HANDLERS,
    web.HANDLERS,
    tools.HANDLERS,
    images.HANDLERS,
    knowledge.HANDLERS,
    memory.HANDLERS,
)
"""Add a family here; its names must be new."""


def build_registry() -> Registry:
    """The handlers of all node types by name, each connecting its endpoint and cleaning its text as WilmerAI does."""
    return {name: with_connection(handler) for family in FAMILIES for name, handler in family.items()}
