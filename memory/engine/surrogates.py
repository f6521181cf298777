"""Halves of surrogate pairs: JSON can carry them, but they are no characters, so no server and no file takes them."""

from __future__ import annotations

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def replace_lone_surrogates(text: str) -> str:
    """The text with U+FFFD for each half of a pair that stands alone, and one character for two halves in order."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
