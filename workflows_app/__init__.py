"""JSON workflows and configs: keep, check, run, watch."""

from __future__ import annotations
