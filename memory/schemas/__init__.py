"""What the API takes and gives; field descriptions are the reference, examples are in docs/api.md."""

from __future__ import annotations
