"""Whether anything may be written at all."""

from __future__ import annotations

from wilmer_site.lib.errors import RefusedError


def check_may_write(*, is_read_only: bool) -> None:
    """Raises RefusedError when the console may change nothing (WILMER_READ_ONLY)."""
    if is_read_only:
        raise RefusedError("The console is read-only (WILMER_READ_ONLY), so nothing was changed.")
