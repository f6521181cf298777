"""Pages of the memory app."""

from __future__ import annotations
