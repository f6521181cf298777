"""Tables of the workflows app."""

from __future__ import annotations
