"""One folder per family of nodes."""

from __future__ import annotations
