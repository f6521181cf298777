"""What the API takes and gives."""

from __future__ import annotations
