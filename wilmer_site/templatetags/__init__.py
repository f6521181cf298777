"""Filters of the shared components."""

from __future__ import annotations
