"""The public folder that a journey walks through."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memory.catalogue.refresh import forget_schedule
from tests.builders import API_KEY, build_discussion, build_public_folder, open_public_folder


def open_house(tmp_path: Path, settings: Any) -> Path:
    """Three discussions: `anna` and `bert` in the open, `carol` encrypted under a key."""
    public = build_public_folder(tmp_path)
    open_public_folder(settings, public)
    forget_schedule()
    build_discussion(public, "anna", chunks=5, summary_up_to=3, condensed_up_to=1, memories=4)
    build_discussion(public, "bert", chunks=1, memories=None)
    build_discussion(public, "carol", api_key=API_KEY, encrypted=True)
    return public
