"""Nodes that run programs and call tools on servers."""

from __future__ import annotations
