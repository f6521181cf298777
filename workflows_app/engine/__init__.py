"""Pure: parse, check and run workflows."""

from __future__ import annotations
