"""Keys of encrypted discussions that runs were lent: in the memory of this process alone, never on a disk.

A run that another process takes up has no key; it says so and touches nothing.
"""

from __future__ import annotations

import threading
import time

from memory.results import ApiKeys

KEEP_SECONDS = 60 * 60
"""A run that nobody took up for so long gets no key any more."""

_lent: dict[int, tuple[float, ApiKeys]] = {}
_guard = threading.Lock()


def lend_keys(run_id: int, keys: ApiKeys) -> None:
    """Let a run that was just noted down use the keys of the person who asked for it."""
    now = time.monotonic()
    with _guard:
        for old in [number for number, (since, _) in _lent.items() if now - since > KEEP_SECONDS]:
            del _lent[old]
        if keys:
            _lent[run_id] = (now, dict(keys))


def take_keys(run_id: int) -> ApiKeys:
    """The keys of a run that begins; they are forgotten here."""
    with _guard:
        _, keys = _lent.pop(run_id, (0.0, {}))
    return keys
