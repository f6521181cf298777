"""Nodes that make text out of text, without asking anybody (workflows.md §10.2-§10.8)."""

from __future__ import annotations
