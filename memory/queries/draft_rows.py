"""Drafts as rows: those of an encrypted discussion are kept encrypted with its key, and opened here.

A row that was loaded holds what it says in the open; `Seal.close_values` is for what goes back into the database.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from memory.errors import DiscussionLockedError
from memory.models import Draft, Job
from memory.results import ApiKeys
from memory.stores.encryption import derive_fernet_key, encrypt, find_decrypted
from memory.types import DiscussionRef

IS_SEALED = "is_sealed"
"""The parameter of jobs whose drafts are kept encrypted."""

_TEXTS = ("old_text", "new_text", "edited_text", "raw_reply")
_VALUES = ("target", "prompts")
_TOKEN = "token"
_SALT = "memory-console-drafts"


@dataclass(frozen=True, slots=True)
class Seal:
    """Encrypts what drafts say with the API key of their discussion; empty texts stay empty."""

    fernet_key: bytes

    def close_values(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The same fields as the database may hold them."""
        return {name: self._close(name, value) for name, value in values.items()}

    def open_row(self, row: Draft) -> Draft:
        """The row with everything readable; raises DiscussionLockedError when the key is another one."""
        for name in _TEXTS:
            setattr(row, name, getattr(row, name) and self._open(getattr(row, name)))
        for name in _VALUES:
            token = getattr(row, name).get(_TOKEN)
            setattr(row, name, json.loads(self._open(token)) if token else getattr(row, name))
        return row

    def _close(self, name: str, value: Any) -> Any:
        if name in _TEXTS and value:
            return encrypt(str(value).encode(), self.fernet_key).decode()
        if name in _VALUES and value:
            return {_TOKEN: encrypt(json.dumps(value).encode(), self.fernet_key).decode()}
        return value

    def _open(self, token: str) -> str:
        data = find_decrypted(token.encode(), self.fernet_key)
        if data is None:
            raise DiscussionLockedError("This draft was encrypted with another API key, so it cannot be read.")
        return data.decode()


class _Unsealed(Seal):
    """For discussions that are not encrypted: everything stays as it is."""

    def close_values(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return dict(values)

    def open_row(self, row: Draft) -> Draft:
        return row


UNSEALED: Seal = _Unsealed(b"")


def seal_of(job: Job, keys: ApiKeys) -> Seal:
    """What opens and closes the drafts of a job; raises DiscussionLockedError without the key of the discussion."""
    if not job.parameters.get(IS_SEALED):
        return UNSEALED
    return build_seal(DiscussionRef.parse(job.discussion), keys)


def build_seal(ref: DiscussionRef, keys: ApiKeys) -> Seal:
    """The seal of an encrypted discussion; raises DiscussionLockedError without its key."""
    api_key = keys.get(ref.key_hash) if ref.key_hash else None
    if api_key is None:
        raise DiscussionLockedError(
            f"The drafts of {ref.discussion_id!r} are encrypted and its key is not known here. Unlock the discussion"
            " first.",
            discussion=ref.text,
        )
    return Seal(derive_fernet_key(api_key, _SALT))


def load_drafts(job: Job, keys: ApiKeys, rows: QuerySet[Draft] | None = None) -> list[Draft]:
    """Drafts of a job in its order, readable; raises DiscussionLockedError without the key."""
    seal = seal_of(job, keys)
    found = Draft.objects.filter(job=job) if rows is None else rows
    return [seal.open_row(row) for row in found.order_by("position")]
