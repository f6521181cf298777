"""Keys that open encrypted discussions, kept in this process's memory for one sign-in.

Nothing here reaches the database, a cookie, a log or a page. A restart, a sign-out, another password, a new session
id or `IDLE_SECONDS` without use forgets them. Several processes each have their own ring: the reader unlocks again.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest

from memory.engine.hashing import hash_api_key
from memory.results import ApiKeys
from memory.types import ApiKey, KeyHash

IDLE_SECONDS = 8 * 60 * 60
"""How long unused keys are kept: a working day."""

KEY_HEADER = "X-Discussion-Key"
"""A program sends the key of encrypted discussions here, with every request that needs it."""


Owner = tuple[int, str]
"""A person, and what changes with the password: a ring made under another password opens nothing in any process."""


@dataclass(slots=True)
class _Ring:
    owner: Owner | None = None
    keys: dict[KeyHash, ApiKey] = field(default_factory=dict, repr=False)
    used_at: float = 0.0


_rings: dict[str, _Ring] = {}
_guard = threading.Lock()


def keys_of(request: HttpRequest) -> ApiKeys:
    """The keys unlocked during this sign-in or sent with this request (`KEY_HEADER`), by key hash."""
    sent = request.headers.get(KEY_HEADER, "")
    keys = {hash_api_key(sent): ApiKey(sent)} if sent else {}
    session_key, owner = _session_key_of(request), _owner_of(request)
    with _guard:
        _forget_idle()
        ring = _rings.get(session_key)
        if ring is None or ring.owner != owner:  # A token may come with the cookie of somebody else.
            return keys
        ring.used_at = time.monotonic()
        return {**ring.keys, **keys}


def add_key(request: HttpRequest, key_hash: KeyHash, api_key: ApiKey) -> None:
    """Remember a key until sign-out."""
    if request.session.session_key is None:
        request.session.create()
    session_key, owner = str(request.session.session_key), _owner_of(request)
    with _guard:
        _forget_idle()
        ring = _rings.get(session_key)
        if ring is None or ring.owner != owner:
            ring = _rings[session_key] = _Ring(owner)
        ring.keys[key_hash] = api_key
        ring.used_at = time.monotonic()


def forget_keys(request: HttpRequest) -> None:
    """Drop every key of this sign-in."""
    with _guard:
        _rings.pop(request.session.session_key or "", None)


def forget_keys_of(user: AbstractBaseUser) -> None:
    """Drop every key of one person, whichever browser unlocked it."""
    with _guard:
        for session_key in [name for name, ring in _rings.items() if ring.owner and ring.owner[0] == user.pk]:
            del _rings[session_key]


def on_sign_in(request: HttpRequest, **_: Any) -> None:
    """Drop the keys of the session id that the request came with, if its session has another one by now."""
    sent = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    if sent != request.session.session_key:
        with _guard:
            _rings.pop(sent, None)


def on_sign_out(request: HttpRequest, **_: Any) -> None:
    """Drop the keys of a sign-in that ends, however it ends."""
    forget_keys(request)


def _session_key_of(request: HttpRequest) -> str:
    request.session.keys()  # Loads the session: the id of one that is over counts no more.
    return request.session.session_key or ""


def _owner_of(request: HttpRequest) -> Owner | None:
    user = getattr(request, "user", None)
    if not isinstance(user, AbstractBaseUser):
        return None
    return user.pk, user.get_session_auth_hash()


def _forget_idle() -> None:
    limit = time.monotonic() - IDLE_SECONDS
    for session_key in [name for name, ring in _rings.items() if ring.used_at < limit]:
        del _rings[session_key]
