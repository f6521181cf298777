"""Pure rules of the memory system: no disk, no network, no clock but the one given."""

from __future__ import annotations
