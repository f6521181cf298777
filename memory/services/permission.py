"""Whether the console may change anything."""

from __future__ import annotations

from memory.journal.permission import check_may_write
from memory.wiring import is_read_only
from wilmer_site.lib.errors import RefusedError


def require_changes_allowed() -> None:
    """Raises RefusedError in read-only mode (WILMER_READ_ONLY)."""
    check_may_write(is_read_only=is_read_only())


def require_staff(user: object) -> None:
    """Raises RefusedError for whoever does not look after this console."""
    if not getattr(user, "is_staff", False):
        raise RefusedError("Only staff may see this.")


def require_administrator(user: object) -> None:
    """Raises RefusedError for whoever may look and edit, but not have models asked."""
    if not getattr(user, "is_staff", False):
        raise RefusedError("Making memory anew asks models, which may cost money; only an administrator may start it.")
