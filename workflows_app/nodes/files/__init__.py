"""Nodes that read and write text files in allowed folders."""

from __future__ import annotations
