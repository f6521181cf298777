"""One model per kind of config file."""

from __future__ import annotations
