"""How the models write a field down: title, help, and what forms and checks must know of it."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final, TypedDict, Unpack

from pydantic import BaseModel, ConfigDict, Field

from workflows_app.configs.kinds import Reference

META: Final = "x-wilmer"
"""The key of a JSON Schema property under which the facts of `Extra` are published."""


class Templating(StrEnum):
    """Which variables a value may have (workflows.md §6.1, §6.6)."""

    NONE = "none"
    EARLY = "early"
    """Custom variables of the workflow and inputs only."""
    FULL = "full"


class Extra(TypedDict, total=False):
    """What a field says beside title, help and default."""

    group: str
    """Heading of the form section."""
    low: float
    high: float
    choices: tuple[Any, ...]
    refers_to: Reference
    templating: Templating
    is_secret: bool
    is_unused: bool
    """Written in shipped files, read by nothing."""
    is_multiline: bool
    is_strict: bool
    """No coercion: a value of another type fails."""
    is_coerced: bool
    """Turned to text before use, so any type will do."""
    is_needed: bool
    """Without it the node gives an error as its result, or fails."""


class ConfigModel(BaseModel):
    """A config file or node as people may write it. Unknown keys are kept; nothing is ever rewritten from a model."""

    model_config = ConfigDict(extra="allow", str_strip_whitespace=False)


def entry(title: str, help: str = "", *, default: Any = None, **extra: Unpack[Extra]) -> Any:
    """A field of a model, optional unless `is_needed`."""
    meta: dict[str, Any] = {key: _plain(value) for key, value in extra.items() if key not in ("low", "high")}
    return Field(
        default=default,
        title=title,
        description=help or None,
        ge=extra.get("low"),
        le=extra.get("high"),
        json_schema_extra={META: meta} if meta else None,
    )


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else str(value) if isinstance(value, StrEnum) else value
