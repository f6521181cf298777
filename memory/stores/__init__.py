"""The only code that touches the files and databases of discussions."""

from __future__ import annotations
