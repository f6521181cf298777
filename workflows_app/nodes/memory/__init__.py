"""Nodes that make and read memories: the developer guide's MemoryNodeHandler."""

from __future__ import annotations
