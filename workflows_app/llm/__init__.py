"""Calls of language models."""

from __future__ import annotations
