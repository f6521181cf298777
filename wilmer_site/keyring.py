"""Keys that open encrypted discussions, kept in this process's memory for one sign-in.

Nothing here reaches the database, a cookie, a log or a page. A restart, a sign-out or `IDLE_SECONDS` without use
forgets them. Several processes each have their own ring: the reader unlocks again.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

from django.http import HttpRequest

from memory.engine.hashing import hash_api_key
from memory.results import ApiKeys
from memory.types import ApiKey, KeyHash

IDLE_SECONDS = 8 * 60 * 60
"""How long unused keys are kept: a working day."""

KEY_HEADER = "X-Discussion-Key"
"""A program sends the key of encrypted discussions here, with every request that needs it."""


@dataclass(slots=True)
class _Ring:
    keys: dict[KeyHash, ApiKey] = field(default_factory=dict, repr=False)
    used_at: float = 0.0


_rings: dict[str, _Ring] = {}
_guard = threading.Lock()


def keys_of(request: HttpRequest) -> ApiKeys:
    """The keys unlocked during this sign-in or sent with this request (`KEY_HEADER`), by key hash."""
    sent = request.headers.get(KEY_HEADER, "")
    keys = {hash_api_key(sent): ApiKey(sent)} if sent else {}
    with _guard:
        _forget_idle()
        ring = _rings.get(request.session.session_key or "")
        if ring is None:
            return keys
        ring.used_at = time.monotonic()
        return {**ring.keys, **keys}


def add_key(request: HttpRequest, key_hash: KeyHash, api_key: ApiKey) -> None:
    """Remember a key until sign-out."""
    if request.session.session_key is None:
        request.session.create()
    with _guard:
        _forget_idle()
        ring = _rings.setdefault(str(request.session.session_key), _Ring())
        ring.keys[key_hash] = api_key
        ring.used_at = time.monotonic()


def forget_keys(request: HttpRequest) -> None:
    """Drop every key of this sign-in."""
    with _guard:
        _rings.pop(request.session.session_key or "", None)


def _forget_idle() -> None:
    limit = time.monotonic() - IDLE_SECONDS
    for session_key in [name for name, ring in _rings.items() if ring.used_at < limit]:
        del _rings[session_key]
