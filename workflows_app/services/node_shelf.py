"""The shelf beside a workflow: nodes that are switched off by taking them out of the file, and kept."""

from __future__ import annotations

import uuid
from typing import Any

from wilmer_site.lib.errors import NotFoundError
from workflows_app import wiring
from workflows_app.stores.shelf_files import ShelfItem

__all__ = ["ShelfItem", "get", "list_items", "put", "take"]


def list_items(path: str) -> tuple[ShelfItem, ...]:
    """What is on the shelf of a file, the newest first."""
    return wiring.get_shelf(path).read()


def get(path: str, key: str) -> ShelfItem:
    """One node of the shelf. Raises NotFoundError."""
    for item in list_items(path):
        if item.key == key:
            return item
    raise NotFoundError("This node is not on the shelf any more.")


def put(path: str, node: Any, *, position: int) -> str:
    """Put a node on the shelf and give its key. Raises RefusedError in a read-only console."""
    wiring.check_may_write()
    key = uuid.uuid4().hex[:12]
    wiring.get_shelf(path).put(ShelfItem(key, position, node))
    return key


def take(path: str, key: str) -> None:
    """Take a node off the shelf. Raises RefusedError in a read-only console."""
    wiring.check_may_write()
    wiring.get_shelf(path).take(key)
