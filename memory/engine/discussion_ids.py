"""The discussion id inside messages, and which ids may be used or created (memory.md §2, W24)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memory.errors import UnsafeDiscussionIdError
from memory.types import DiscussionId, Message
from wilmer_site.lib.ids import is_plain_name

_TAG = re.compile(r"\[DiscussionId\](.*?)\[/DiscussionId\]")
_CLOSING = "[/DiscussionId]"
_FORBIDDEN = frozenset('*?"<>|')
_DEVICES = frozenset(
    ["CON", "PRN", "AUX", "NUL", *(f"COM{n}" for n in range(1, 10)), *(f"LPT{n}" for n in range(1, 10))]
)

MAX_ID_BYTES = 200
"""Longest id, in UTF-8, that a new discussion may have."""


def find_discussion_id(messages: Sequence[Message]) -> DiscussionId | None:
    """The id that the first complete tag names, exactly as written; None for none, an empty or an unsafe one."""
    value = find_tag(messages)
    return DiscussionId(value) if value is not None and is_plain_name(value) else None


def find_tag(messages: Sequence[Message]) -> str | None:
    """What the first complete tag holds, safe or not; None without a tag."""
    for message in messages:
        match = next(filter(None, (_TAG.search(head) for head, _ in _split_lines(message.text))), None)
        if match:
            return match.group(1)
    return None


def remove_tags(text: str) -> str:
    """The text without any complete tag."""
    if _CLOSING not in text:
        return text
    return "\n".join(_TAG.sub("", head) + tail for head, tail in _split_lines(text))


def _split_lines(text: str) -> Iterator[tuple[str, str]]:
    """Each line up to its last closing tag, and the rest: a search never looks in vain for the end of a tag."""
    for line in text.split("\n") if _CLOSING in text else ():
        head, closing, tail = line.rpartition(_CLOSING)
        yield head + closing, tail


def find_creation_problem(discussion_id: str) -> str | None:
    """Why no discussion may be created under this id, as a sentence; None if it may (W24).

    Existing folders with such names stay usable.
    """
    if not is_plain_name(discussion_id):
        return "A discussion id must not be empty, '.' or '..', and must not contain / \\ : or a null character."
    if any(ord(mark) < 32 or 127 <= ord(mark) < 160 for mark in discussion_id):
        return "A discussion id must not contain control characters."
    if not _FORBIDDEN.isdisjoint(discussion_id):
        return 'A discussion id must not contain * ? " < > or |.'
    if discussion_id[-1] == "." or discussion_id[-1].isspace():
        return "A discussion id must not end with a dot or a blank."
    if discussion_id.partition(".")[0].upper() in _DEVICES:
        return f"{discussion_id.partition('.')[0]} names a device on some systems; choose another discussion id."
    if len(discussion_id.encode("utf-8", "surrogatepass")) > MAX_ID_BYTES:
        return f"A discussion id must have at most {MAX_ID_BYTES} bytes in UTF-8."
    return None


def may_create(discussion_id: str) -> bool:
    """Whether a discussion may be created under this id."""
    return find_creation_problem(discussion_id) is None


def check_may_create(discussion_id: str) -> DiscussionId:
    """The id, fit for a new discussion; raises UnsafeDiscussionIdError saying why it is not."""
    problem = find_creation_problem(discussion_id)
    if problem:
        raise UnsafeDiscussionIdError(problem, discussion_id=discussion_id)
    return DiscussionId(discussion_id)
