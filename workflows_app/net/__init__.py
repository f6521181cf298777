"""Reaching out for nodes, to what is no model server: web pages, programs, tool servers. Bounded and guarded."""

from __future__ import annotations
