"""New workflows: empty ones, or begun from a template."""

from __future__ import annotations

from workflows_app.services.config_files import create_config

EMPTY = "empty"
EMPTY_TEXT = '{\n    "nodes": []\n}'


def list_starts() -> list[tuple[str, str]]:
    """What a new workflow may begin with: the value and the words for it."""
    return [(EMPTY, "Nothing: add nodes from the palette")]


def start_workflow(path: str, start: str, *, author: str) -> str:
    """Make a workflow at a path below `Workflows`, without `.json`; gives its path below `Configs`.

    Raises ConfigChangedError when it exists, RefusedError in a read-only console.
    """
    full = f"Workflows/{path}.json"
    create_config(full, EMPTY_TEXT, author=author, note="Made empty")
    return full
