"""API keys for jobs on encrypted discussions: in the memory of this process, never on a disk."""

from __future__ import annotations

import threading

from memory.results import ApiKeys

_keys: dict[int, ApiKeys] = {}
_guard = threading.Lock()


def lend_keys(job_id: int, keys: ApiKeys) -> None:
    """Let the workers of this process open what a job is about."""
    if keys:
        with _guard:
            _keys[job_id] = dict(keys)


def borrowed_keys(job_id: int) -> ApiKeys:
    """The keys of a job; none when it was started in another process or before a restart."""
    with _guard:
        return _keys.get(job_id, {})


def return_keys(job_id: int) -> None:
    """Forget them."""
    with _guard:
        _keys.pop(job_id, None)
