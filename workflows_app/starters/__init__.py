"""Workflows and settings for the usual cases, to begin with; and files of every kind to fill in. Pure."""

from __future__ import annotations
