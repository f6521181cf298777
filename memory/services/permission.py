"""Whether the console may change anything."""

from __future__ import annotations

from memory.journal.permission import check_may_write
from memory.wiring import is_read_only


def require_changes_allowed() -> None:
    """Raises RefusedError in read-only mode (WILMER_READ_ONLY)."""
    check_may_write(is_read_only=is_read_only())
