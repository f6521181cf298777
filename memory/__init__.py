"""Discussions and what is remembered of them. Knows nothing of workflows or language models."""

from __future__ import annotations
