"""What is told of the audit log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Which lines to list. All of it travels in the URL."""

    actor: str = ""
    action: str = ""
    target: str = ""
    """Part of it, letter case ignored."""


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One thing somebody did."""

    id: int
    at: datetime
    actor: str
    action: str
    """Kebab case, such as `chunk-deleted`."""
    target: str
    details: Mapping[str, Any]
