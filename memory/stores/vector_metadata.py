"""Reading the metadata column of a memory, whatever it holds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def parse_metadata(text: object) -> tuple[Mapping[str, Any], str | None]:
    """The stored object, or an empty one and why it cannot be read."""
    if text is None:
        return {}, "The metadata are missing."
    try:
        value = json.loads(str(text))
    except (ValueError, RecursionError) as error:
        return {}, f"The metadata are not JSON: {error}."
    if not isinstance(value, dict):
        return {}, f"The metadata are {type(value).__name__}, not an object."
    return value, None
