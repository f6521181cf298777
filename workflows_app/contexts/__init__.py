"""What templates are given: values that answer every question a page asks."""

from __future__ import annotations
