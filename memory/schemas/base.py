"""What every answer of the API is made of: mended texts, pages, errors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any

from ninja import Schema
from pydantic import BeforeValidator, Field

MAX_NESTING = 50
"""Stored metadata nested deeper than this is cut: many JSON readers refuse it."""


def mend_text(value: Any) -> Any:
    """The same text without lone surrogates, which a file may hold and UTF-8 cannot: each becomes U+FFFD."""
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if isinstance(value, str) else value


def mend_json(value: Any, depth: int = MAX_NESTING) -> Any:
    """Stored JSON as strict JSON: no lone surrogates, no NaN or infinity (they become texts), no endless nesting."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, Mapping | list | tuple) and depth == 0:
        return "…"
    if isinstance(value, Mapping):
        return {mend_text(str(key)): mend_json(item, depth - 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [mend_json(item, depth - 1) for item in value]
    return mend_text(value)


Text = Annotated[str, BeforeValidator(mend_text)]
JsonObject = Annotated[dict[str, Any], BeforeValidator(mend_json)]


class PageSchema(Schema):
    """Where the items stand in the whole list."""

    total: int = Field(description="Items on all pages together.")
    page: int
    size: int
    pages: int = Field(description="At least 1.")
    next: str | None = Field(description="Path and query of the next page.")
    previous: str | None = Field(description="Path and query of the page before.")
