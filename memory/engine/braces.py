"""Braces in messages become words before hashing, so that they do not look like variables (memory.md §1 step 5)."""

from __future__ import annotations

LEFT = "__WILMER_L_CURLY__"
RIGHT = "__WILMER_R_CURLY__"


def to_sentinels(text: str) -> str:
    """The form that is hashed and packed."""
    return text.replace("{", LEFT).replace("}", RIGHT)


def to_plain_braces(text: str) -> str:
    """The form that a model and a person read."""
    return text.replace(LEFT, "{").replace(RIGHT, "}")
