"""Nodes that ask the offline Wikipedia and the offline researcher."""

from __future__ import annotations
