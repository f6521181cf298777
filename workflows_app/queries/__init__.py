"""What pages, API and commands read about workflows and runs. Nothing here writes."""

from __future__ import annotations
