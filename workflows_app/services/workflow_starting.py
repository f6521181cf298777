"""New workflows without nodes; those that begin from a template are made in services/starters.py."""

from __future__ import annotations

from workflows_app.services.config_files import create_config

EMPTY_TEXT = '{\n    "nodes": []\n}'


def create_workflow(path: str, *, author: str) -> str:
    """Make a workflow at a path below `Workflows`, without `.json`; gives its path below `Configs`.

    Raises ConfigChangedError when it exists, RefusedError in a read-only console.
    """
    full = f"Workflows/{path}.json"
    create_config(full, EMPTY_TEXT, author=author, note="Made empty")
    return full
