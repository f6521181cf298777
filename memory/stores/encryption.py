"""Fernet tokens as WilmerAI writes them, and the keys that open them (memory.md §5)."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken

from memory.engine.hashing import hash_api_key
from memory.types import ApiKey, KeyHash

ROUNDS = 100_000
"""PBKDF2 rounds."""

TOKEN_PREFIX = b"gAAAAA"
"""How every Fernet token begins: its version byte and the high bytes of its time."""

_SALT_OF_USER = "WilmerAI-v1-"
_SALT_OF_NOBODY = "WilmerAI-encryption-salt-v1"
_BEARER = "Bearer "


@dataclass(frozen=True, slots=True)
class OpenedToken:
    """What a token holds, and the Fernet key that opened it."""

    data: bytes
    fernet_key: bytes


class FileKeys:
    """The Fernet keys that may open the files of one discussion, derived when the first token is met.

    Deriving costs tens of milliseconds per user name, so a plain discussion must not pay for it.
    """

    def __init__(self, api_key: ApiKey | None = None, user_names: Sequence[str] = ()) -> None:
        self.api_key = api_key
        self._user_names: tuple[str | None, ...] = (*dict.fromkeys(user_names), None)
        self._ready: list[bytes] = []

    @classmethod
    def of(cls, *fernet_keys: bytes) -> FileKeys:
        """Keys that were derived before."""
        keys = cls()
        keys._ready = list(fernet_keys)
        return keys

    @property
    def key_hash(self) -> KeyHash | None:
        """The folder name of the API key; None without one."""
        return hash_api_key(self.api_key) if self.api_key else None

    def find_opened(self, data: bytes) -> OpenedToken | None:
        """The content of a token; None if no key at hand opens it, or it was damaged."""
        for fernet_key in self._candidates():
            plain = find_decrypted(data, fernet_key)
            if plain is not None:
                self._ready = [fernet_key, *(key for key in self._ready if key != fernet_key)]
                return OpenedToken(plain, fernet_key)
        return None

    def derive_for(self, user_name: str | None) -> bytes | None:
        """The Fernet key for new files of this user; None without an API key."""
        return derive_fernet_key(self.api_key, user_name) if self.api_key else None

    def _candidates(self) -> Iterator[bytes]:
        yield from tuple(self._ready)
        for user_name in self._user_names if self.api_key else ():
            yield derive_fernet_key(self.api_key or "", user_name)


@lru_cache(maxsize=128)
def derive_fernet_key(api_key: str, user_name: str | None) -> bytes:
    """The Fernet key of an API key for one user; letter case of the name counts, None has a salt of its own."""
    salt = _SALT_OF_NOBODY
    if user_name is not None:
        salt = _SALT_OF_USER + hashlib.sha256(user_name.encode("utf-8", "surrogatepass")).hexdigest()
    derived = hashlib.pbkdf2_hmac("sha256", api_key.encode("utf-8", "surrogatepass"), salt.encode(), ROUNDS, dklen=32)
    return base64.urlsafe_b64encode(derived)


def forget_derived_keys() -> None:
    """Drop every derived key from memory, for when a person locks discussions again."""
    derive_fernet_key.cache_clear()


def find_key_for_new_files(api_key: str | None, user_name: str | None, *, is_on: bool) -> bytes | None:
    """The Fernet key that new files must be written with; None when they are written as plain text.

    Encryption is on when there is an API key and the user's `encryptUsingApiKey` is truthy.
    """
    return derive_fernet_key(api_key, user_name) if api_key and is_on else None


def is_token(data: bytes) -> bool:
    """Whether a file's bytes are a Fernet token (W25)."""
    return data.lstrip().startswith(TOKEN_PREFIX)


def find_decrypted(data: bytes, fernet_key: bytes) -> bytes | None:
    """The content of a token; None for another key, a damaged token, or no token at all."""
    try:
        return Fernet(fernet_key).decrypt(data.strip())
    except InvalidToken:
        return None


def encrypt(data: bytes, fernet_key: bytes) -> bytes:
    """A new token over the bytes; differs every time."""
    return Fernet(fernet_key).encrypt(data)


def find_bearer_key(authorization: str) -> ApiKey | None:
    """The API key in an Authorization header: after exactly `Bearer `, trimmed; None for none."""
    if not authorization.startswith(_BEARER):
        return None
    return ApiKey(authorization[len(_BEARER) :].strip()) or None
