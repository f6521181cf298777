"""The node that has pictures described."""

from __future__ import annotations
