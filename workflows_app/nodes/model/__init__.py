"""The node that asks a language model."""

from __future__ import annotations
