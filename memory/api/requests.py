"""What a request says about the discussion it is for."""

from __future__ import annotations

import re
from typing import Annotated

from django.http import HttpRequest
from ninja import Path

from memory.engine.hashing import hash_api_key
from memory.errors import UnsafeDiscussionIdError
from memory.results import ApiKeys
from memory.types import ApiKey, DiscussionRef
from wilmer_site.keyring import KEY_HEADER, keys_of
from wilmer_site.lib.ids import is_plain_name

RefText = Annotated[str, Path(description="`id`, or `keyhash:id`, percent-encoded.")]

_KEY_HASH = re.compile(r"[0-9a-f]{16}")


def parse_ref(text: str) -> DiscussionRef:
    """The discussion that a path names; raises UnsafeDiscussionIdError for what can be none (memory.md §2)."""
    ref = DiscussionRef.parse(text)
    is_keyed = ":" in text
    if not is_plain_name(ref.discussion_id) or (is_keyed and not _KEY_HASH.fullmatch(ref.key_hash or "")):
        raise UnsafeDiscussionIdError(
            f"{text[:100]!r} names no discussion: an id is not empty, '.' or '..' and has no / \\ or :, and may stand "
            "after a key hash of 16 hexadecimal digits and a colon.",
            ref=text[:100],
        )
    return ref


def find_keys(request: HttpRequest) -> ApiKeys:
    """The keys unlocked during this sign-in, and the one sent with this request.

    Header values arrive as Latin-1, and WilmerAI hashes them as they arrive. A key with other letters that was typed
    somewhere else is the UTF-8 reading of the same bytes, so both are tried.
    """
    typed = _as_utf8(request.headers.get(KEY_HEADER, ""))
    return {hash_api_key(typed): ApiKey(typed), **keys_of(request)} if typed else keys_of(request)


def _as_utf8(text: str) -> str:
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text
