"""The node that reads web pages."""

from __future__ import annotations
