"""Checks of config files as pure rules (configs.md §13): documents in, problems out."""

from __future__ import annotations
