"""Nodes that run workflows or guard them."""

from __future__ import annotations
