"""Writes, one noun per module."""

from __future__ import annotations
