"""All JSON files below `Public/Configs`, read once and again only when they changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from wilmer_site.lib.errors import NotFoundError
from wilmer_site.lib.files import FileTooLargeError, FileUnreadableError, read_limited
from wilmer_site.lib.ids import UnsafeNameError, child_path
from workflows_app.configs.source import replace_halves
from workflows_app.errors import ConfigNotFoundError

LIMIT_BYTES = 16 * 1024 * 1024
KEPT_BYTES = 256 * 1024
"""Larger files are parsed anew each time."""
MAX_FILES = 20_000
MAX_DEPTH = 8
AREAS = (
    "Users",
    "Endpoints",
    "ApiTypes",
    "Presets",
    "Routing",
    "PromptTemplates",
    "MCPServers",
    "StructuredOutputs",
    "Workflows",
)
"""The folders that config files lie in (configs.md §1)."""


@dataclass(frozen=True, slots=True)
class LibraryFile:
    """One file: its path below `Configs` with slashes and `.json`, and its size."""

    path: str
    size_bytes: int
    document: Any
    """The JSON; None when it cannot be read."""
    problem: str = ""
    """Why it cannot be read, with line and column."""
    state: tuple[int, ...] = ()
    """Time, size and number of the file: another state is another content."""

    @property
    def name(self) -> str:
        """The file's name without `.json`."""
        return self.path.rpartition("/")[2].removesuffix(".json")

    @property
    def area(self) -> str:
        """The first folder of the path, such as `Endpoints`."""
        return self.path.partition("/")[0]

    @property
    def folder(self) -> str:
        """The folders between the area and the file; empty for none."""
        return "/".join(self.path.split("/")[1:-1])


@dataclass(frozen=True, slots=True)
class ConfigLibrary:
    """The config files of one installation."""

    root: Path

    def list_files(self) -> tuple[LibraryFile, ...]:
        """Every JSON file of every area, in order of area, folder and name; links to folders are not followed."""
        return tuple(file for area in AREAS for file in self.list_area(area))

    def list_area(self, area: str) -> tuple[LibraryFile, ...]:
        """The files of one area."""
        root = self.root.resolve()
        found = (path for path in _walk(self.root / area, 0) if not path.is_symlink() or _is_below(path, root))
        paths = sorted(found, key=lambda path: (str(path.parent).lower(), path.stem.lower()))
        return tuple(self._look(path) for path in paths[:MAX_FILES])

    def list_folders(self, area: str) -> tuple[str, ...]:
        """The folders below an area that hold JSON files, sorted."""
        return tuple(sorted({file.folder for file in self.list_area(area) if file.folder}))

    def get(self, path: str) -> LibraryFile:
        """One file. Raises ConfigNotFoundError for a path that leads nowhere, or out of the areas."""
        file = self.locate(path)
        if not _is_file(file):
            raise ConfigNotFoundError(f"There is no config file {path!r}.", path=path, kind="config")
        return self._look(file)

    def exists(self, path: str) -> bool:
        """Whether there is such a file."""
        try:
            return _is_file(self.locate(path))
        except ConfigNotFoundError:
            return False

    def locate(self, path: str) -> Path:
        """The place of a file that may not exist.

        Raises ConfigNotFoundError for a path that none may have, and for one that leads through a link to a folder.
        """
        parts = path.split("/")
        try:
            if len(parts) < 2 or parts[0] not in AREAS or not parts[-1].endswith(".json"):
                raise UnsafeNameError("no config")
            file = child_path(self.root, *parts)
            if any(folder.is_symlink() for folder in list(file.parents)[: len(parts) - 1]):
                raise UnsafeNameError("behind a link")
            return file
        except (UnsafeNameError, OSError):
            raise ConfigNotFoundError(f"There is no config file {path!r}.", path=path, kind="config") from None

    def _look(self, file: Path) -> LibraryFile:
        path = file.relative_to(self.root).as_posix()
        try:
            facts = file.stat()
            state = (facts.st_mtime_ns, facts.st_size, facts.st_ino)
            document, problem = _parse_once(file, state)
        except (OSError, NotFoundError, FileTooLargeError, FileUnreadableError) as error:
            return LibraryFile(path, 0, None, f"It cannot be read: {error}")
        return LibraryFile(path, facts.st_size, document, problem, state)


def _walk(folder: Path, depth: int) -> Iterator[Path]:
    if depth > MAX_DEPTH or not folder.is_dir():
        return
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            yield from _walk(entry, depth + 1)
        elif entry.suffix == ".json" and entry.is_file():
            yield entry


def _is_file(file: Path) -> bool:
    try:
        return file.is_file()
    except OSError:  # a name too long for the file system
        return False


def _is_below(path: Path, root: Path) -> bool:
    try:
        return path.resolve().is_relative_to(root)
    except (OSError, RuntimeError):
        return False


def _parse_once(file: Path, state: tuple[int, int, int]) -> tuple[Any, str]:
    """The JSON of a file in this state; callers must not change it."""
    return _parse(file) if state[1] > KEPT_BYTES else _parse_kept(file, state)


@lru_cache(maxsize=4096)
def _parse_kept(file: Path, _state: tuple[int, int, int]) -> tuple[Any, str]:
    return _parse(file)


def _parse(file: Path) -> tuple[Any, str]:
    data = read_limited(file, limit_bytes=LIMIT_BYTES)
    try:
        return json.loads(replace_halves(data.decode("utf-8-sig"))), ""
    except json.JSONDecodeError as error:
        return None, f"No JSON: {error.msg} at line {error.lineno}, column {error.colno}."
    except (ValueError, RecursionError) as error:
        return None, f"No JSON: {error}."
