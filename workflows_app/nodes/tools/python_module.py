"""`PythonModule`: shown, but never run (workflows.md §10.12)."""

from __future__ import annotations

from typing import NoReturn

from workflows_app.engine.node import NodeContext
from workflows_app.errors import NodeFailedError, SwitchedOffError


def python_module(context: NodeContext) -> NoReturn:
    """Raises SwitchedOffError: this console runs no Python of workflows, and no setting changes that."""
    path = context.node.get("module_path")
    if path is None:
        raise NodeFailedError("No 'module_path' specified for PythonModule node.")
    raise SwitchedOffError(
        f"The console does not run Python, so it did not run {context.resolve(str(path))}. Pin the output of this node "
        "to go on without it; WilmerAI itself runs the file."
    )
