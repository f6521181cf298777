"""Who may read a new config file: whoever may read its neighbours, unless it holds secrets."""

from __future__ import annotations

import stat
from collections import Counter
from itertools import islice
from pathlib import Path

from wilmer_site.lib.files import NEW_FILE_MODE
from workflows_app.engine.config_secrets import has_secrets

PRIVATE_FOLDERS = frozenset({"Endpoints", "MCPServers"})
"""Their files are made to hold keys, and one that has none today may get one tomorrow."""
_MAX_NEIGHBOURS = 200
_READ_AND_WRITE = 0o664
"""A new file is never executable, and never one that everybody may change."""


def find_new_mode(root: Path, file: Path, data: bytes) -> int:
    """The mode for a file that is not there yet: that of most JSON files around it; 0600 where secrets are kept."""
    path = file.relative_to(root).as_posix()
    if path.partition("/")[0] in PRIVATE_FOLDERS or has_secrets(path, data.decode("utf-8", "replace")):
        return NEW_FILE_MODE
    for folder in file.parents:
        modes = Counter(_list_modes(folder))
        if modes:
            return min(modes, key=lambda mode: (-modes[mode], mode)) | NEW_FILE_MODE
        if folder == root:
            break
    return NEW_FILE_MODE


def _list_modes(folder: Path) -> list[int]:
    found = []
    for neighbour in islice(folder.rglob("*.json"), _MAX_NEIGHBOURS):
        try:
            found.append(stat.S_IMODE(neighbour.stat().st_mode) & _READ_AND_WRITE)
        except OSError:
            continue
    return found
