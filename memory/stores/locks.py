"""One lock file per discussion, shared by every process of ours (W14)."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator
from pathlib import Path

from memory.types import DiscussionRef
from wilmer_site.lib.files import hold_lock

OWN_FOLDER = ".wilmer-console"
"""Our folder below the discussions root; never listed as a discussion."""

DEFAULT_TIMEOUT_SECONDS = 10.0


class DiscussionLock:
    """The lock of one discussion. May be held again by the same object; belongs to one thread."""

    def __init__(self, discussions_root: Path, ref: DiscussionRef) -> None:
        name = hashlib.sha256(ref.text.encode("utf-8", "surrogatepass")).hexdigest()
        self.path = discussions_root / OWN_FOLDER / "locks" / f"{name}.lock"
        self._holder = f"Another writer of the discussion {ref.discussion_id!r}"
        self._depth = 0

    @contextlib.contextmanager
    def hold(self, timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS) -> Iterator[None]:
        """Hold the lock; creates its file. Raises DiscussionBusyError after `timeout_seconds` (negative: never)."""
        with contextlib.ExitStack() as stack:
            if self._depth == 0:
                stack.enter_context(hold_lock(self.path, timeout_seconds=timeout_seconds, holder=self._holder))
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
