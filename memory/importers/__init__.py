"""Chat transcript formats, one module each."""

from __future__ import annotations
