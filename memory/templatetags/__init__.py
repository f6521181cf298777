"""Template tags of the memory app."""

from __future__ import annotations
