"""Schemas that every API answer may have, whichever app gives it."""

from __future__ import annotations

from typing import Any

from ninja import Schema
from pydantic import Field


class ErrorFacts(Schema):
    """What went wrong."""

    code: str = Field(description="Stable, kebab case, for machines.")
    message: str = Field(description="For people: what, where, and how to mend it.")
    status: int
    details: dict[str, Any] = Field(description="Named facts, such as file, line and column.")


class ErrorOut(Schema):
    """The one shape of every error."""

    error: ErrorFacts
