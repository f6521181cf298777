"""Every JSON file below `Public/Configs`, read for checking; unchanged files are parsed once."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from wilmer_site.lib.errors import WilmerError
from wilmer_site.lib.files import read_limited
from workflows_app.configs.documents import Document, read_document
from workflows_app.configs.kinds import ConfigKind, find_kind
from workflows_app.errors import ConfigInvalidError

LIMIT_BYTES = 16 * 1024 * 1024
MAX_FILES = 20_000
MAX_DEPTH = 8
FOLDERS = tuple(dict.fromkeys(kind.folder for kind in ConfigKind))


@dataclass
class DocumentCache:
    """Documents by path, kept while size and time of the file stay the same."""

    _kept: dict[Path, tuple[tuple[int, int], Document]] = field(default_factory=dict)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def read(self, file: Path, path: str) -> Document | None:
        """The document of a file; None when it is gone. One that cannot be read is a document with a mistake."""
        try:
            stat = file.stat()
        except OSError:
            return None
        stamp = (stat.st_mtime_ns, stat.st_size)
        with self._guard:
            kept = self._kept.get(file)
        if kept and kept[0] == stamp:
            return kept[1]
        document = _read(file, path)
        with self._guard:
            if len(self._kept) >= MAX_FILES:
                self._kept.clear()
            self._kept[file] = (stamp, document)
        return document


def _read(file: Path, path: str) -> Document:
    try:
        if _leads_out(file, file.parents[path.count("/")]):
            reason = "The file is a link that leads out of the configs folder; the console does not follow it."
            return Document(path, None, find_kind(PurePosixPath(path)), ConfigInvalidError(reason))
        return read_document(path, read_limited(file, limit_bytes=LIMIT_BYTES))
    except WilmerError as error:
        reason = error.message
    except OSError as error:
        reason = f"The file cannot be read: {error.strerror}."
    return Document(path, None, find_kind(PurePosixPath(path)), ConfigInvalidError(reason))


def _leads_out(file: Path, root: Path) -> bool:
    return file.is_symlink() and not file.resolve().is_relative_to(root.resolve())


def list_config_files(root: Path) -> list[str]:
    """Paths of all JSON files in the folders WilmerAI reads, sorted; links to folders are not followed."""
    found: list[str] = []
    for folder in FOLDERS:
        for path in _walk(root / folder, 1):
            if len(found) >= MAX_FILES:
                break
            found.append(path.relative_to(root).as_posix())
    return sorted(found)


def ignores_case(root: Path) -> bool:
    """Whether the file system finds a folder under a name of other letter case."""
    swapped = root / "wORKFLOWS"
    return (root / "Workflows").is_dir() and swapped.is_dir()


def has_file(path: str) -> bool:
    """Whether a file that a node names is there; True where that depends on WilmerAI's own folder."""
    try:
        file = Path(path).expanduser()
        return not file.is_absolute() or file.is_file()
    except (OSError, RuntimeError, ValueError):
        return False


def _walk(folder: Path, depth: int) -> Iterator[Path]:
    if depth > MAX_DEPTH:
        return
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for item in entries:
        if item.is_dir(follow_symlinks=False):
            yield from _walk(Path(item.path), depth + 1)
        elif item.name.lower().endswith(".json") and item.is_file():
            yield Path(item.path)
