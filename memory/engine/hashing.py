"""Identities: SHA-256 over UTF-8, lower-case hexadecimal (memory.md §7).

Content is never trimmed or normalised. Text with unpaired surrogates cannot be hashed and raises InvalidError.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from memory.engine.braces import to_plain_braces, to_sentinels
from memory.errors import MissingContentError
from memory.types import KeyHash, Message
from wilmer_site.lib.errors import InvalidError

KEY_HASH_LENGTH = 16
"""Hexadecimal characters of an API key's folder name (memory.md §5)."""


def hash_text(text: str) -> str:
    """The hash of one text; also the identity the compactor uses."""
    try:
        return hashlib.sha256(text.encode("utf-8")).hexdigest()
    except UnicodeEncodeError as error:
        raise InvalidError(
            f"The text has half of a surrogate pair at character {error.start} and cannot be hashed; remove it."
        ) from None


def hash_message(message: Message) -> str:
    """The identity used by memory files, the hash log and timestamps.

    Images count only if the content is blank, the role never does. Raises MissingContentError without content.
    """
    if message.content is None:
        raise MissingContentError("A message without content has no identity; give it at least an empty content.")
    if message.images and not message.content.strip():
        return hash_text(message.content + "".join(sorted(message.images)))
    return hash_text(message.content)


def hash_message_with_images(message: Message) -> str:
    """The identity used by the vision cache: role, content and images; missing fields count as empty."""
    return hash_text(message.role + message.text + "".join(sorted(message.images)))


def hash_api_key(api_key: str) -> KeyHash:
    """The name of the folder that an API key's discussions live in."""
    return KeyHash(hash_text(api_key)[:KEY_HASH_LENGTH])


def list_identities(message: Message) -> tuple[str, ...]:
    """Every hash under which a message may have been recorded: with brace sentinels and with plain braces (§1).

    Empty for a message without content, so that it simply matches nothing.
    """
    if message.content is None:
        return ()
    forms = dict.fromkeys((message.content, to_sentinels(message.content), to_plain_braces(message.content)))
    return tuple(hash_message(Message(message.role, form, message.images)) for form in forms)


def list_hashes(messages: Sequence[Message]) -> list[str]:
    """The identity of every message, in order; raises MissingContentError."""
    return [hash_message(message) for message in messages]
