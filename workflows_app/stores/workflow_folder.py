"""The JSON files below `Configs/Workflows`, listed and read as they are."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wilmer_site.lib.errors import NotFoundError
from wilmer_site.lib.files import read_limited
from wilmer_site.lib.ids import UnsafeNameError, child_path
from workflows_app.errors import ConfigInvalidError, WorkflowNotFoundError

LIMIT_BYTES = 16 * 1024 * 1024
MAX_FILES = 5_000
MAX_DEPTH = 6


@dataclass(frozen=True, slots=True)
class FoundFile:
    """One file: its path below the folder, without `.json`, and its size."""

    path: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class WorkflowFolder:
    """The folder of all workflows of one installation."""

    config_root: Path

    @property
    def root(self) -> Path:
        """`Configs/Workflows`."""
        return self.config_root / "Workflows"

    def list_files(self) -> list[FoundFile]:
        """Every JSON file, sorted by folder and name; at most MAX_FILES, no deeper than MAX_DEPTH folders."""
        found: list[FoundFile] = []
        self._collect(self.root, 0, found)
        return sorted(found, key=lambda file: (file.path.rpartition("/")[0].lower(), file.path.lower()))

    def read_text(self, path: str) -> str:
        """The text of one file. Raises WorkflowNotFoundError, UnsafeNameError, FileTooLargeError."""
        parts = path.split("/")
        try:
            file = child_path(self.root, *parts[:-1], f"{parts[-1]}.json")
            return read_limited(file, limit_bytes=LIMIT_BYTES).decode("utf-8-sig", "replace")
        except (NotFoundError, UnsafeNameError):
            raise WorkflowNotFoundError(f"There is no workflow {path!r} in this configs folder.", path=path) from None

    def _collect(self, folder: Path, depth: int, found: list[FoundFile]) -> None:
        if depth > MAX_DEPTH or not folder.is_dir():
            return
        for entry in sorted(folder.iterdir()):
            if len(found) >= MAX_FILES:
                return
            if entry.is_dir() and not entry.is_symlink():
                self._collect(entry, depth + 1, found)
            elif entry.suffix == ".json" and entry.is_file():
                path = entry.relative_to(self.root).with_suffix("").as_posix()
                found.append(FoundFile(path, entry.stat().st_size))


def parse_document(text: str) -> Any:
    """The JSON of a file. Raises ConfigInvalidError that names line and column."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ConfigInvalidError(
            f"This is no JSON: {error.msg} at line {error.lineno}, column {error.colno}.",
            line=error.lineno,
            column=error.colno,
        ) from None
    except (ValueError, RecursionError) as error:
        raise ConfigInvalidError(f"This is no JSON: {error}.") from None
