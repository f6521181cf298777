"""Everything that can be read about discussions. Queries return frozen values and change no discussion."""

from __future__ import annotations
