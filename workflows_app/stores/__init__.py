"""The only code that touches config and workflow files."""

from __future__ import annotations
