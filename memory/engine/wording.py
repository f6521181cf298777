"""Numbers with their nouns."""

from __future__ import annotations


def format_count(number: int, singular: str, plural: str = "") -> str:
    """`1 chunk`, `2 chunks`, `1,200 memories`; the plural is the singular with an s unless it is given."""
    return f"{number:,} {singular if number == 1 else plural or f'{singular}s'}"
