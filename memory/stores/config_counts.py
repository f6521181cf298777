"""How many configs of each kind there are, from names alone."""

from __future__ import annotations

import os
from pathlib import Path


def count_configs(config_root: Path) -> dict[str, int]:
    """Kind (the folder below the configs root) → JSON files in it at any depth. Opens no file; empty without a root."""
    return {kind: _count_files(config_root / kind) for kind in sorted(_list_kinds(config_root))}


def _list_kinds(config_root: Path) -> list[str]:
    try:
        with os.scandir(config_root) as entries:
            return [entry.name for entry in entries if entry.is_dir() and not entry.name.startswith(".")]
    except OSError:
        return []


def _count_files(folder: Path) -> int:
    """Links are not followed, so that a loop cannot hold up the home page; what starts with `_current` is no config."""
    count = 0
    for _, _, names in os.walk(folder):
        count += sum(name.lower().endswith(".json") and name != "_current-user.json" for name in names)
    return count
