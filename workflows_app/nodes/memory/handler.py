"""The memory family."""

from __future__ import annotations

from workflows_app.engine.node import NodeHandler
from workflows_app.nodes.memory.reading import READERS
from workflows_app.nodes.memory.writing import WRITERS

HANDLERS: dict[str, NodeHandler] = {**READERS, **WRITERS}
