"""The workspace that a first start opens, and what it is built from."""

from __future__ import annotations
