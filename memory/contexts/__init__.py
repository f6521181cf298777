"""What templates are given: frozen values that already answer every question a template might ask."""

from __future__ import annotations
