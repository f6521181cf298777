"""Writing the JSON files below `Public/Configs`: whole or not at all, one writer of ours at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from wilmer_site.lib.errors import ConflictError, NotFoundError
from wilmer_site.lib.files import etag_of, hold_lock, read_limited, write_atomic
from wilmer_site.lib.ids import UnsafeNameError, child_path
from workflows_app.errors import ConfigInvalidError, ConfigNotFoundError
from workflows_app.stores.config_modes import find_new_mode

LIMIT_BYTES = 5 * 1024 * 1024
LOCK_SECONDS = 10.0
MAX_NAME_BYTES = 200
MAX_PARTS = 8
MAX_FILES = 10_000

NO_FILE = ""
"""The ETag of a file that is not there."""


@dataclass(frozen=True, slots=True)
class ConfigWriter:
    """The JSON files of one configs folder, by their paths below it, such as `Users/ann.json`."""

    root: Path
    lock_file: Path

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises ConfigNotFoundError, for unusable paths too, and FileTooLargeError."""
        try:
            return read_limited(self._file(path), limit_bytes=LIMIT_BYTES)
        except (NotFoundError, UnsafeNameError):
            raise ConfigNotFoundError(f"There is no file {path} in the configs folder.", path=path) from None

    def find(self, path: str) -> bytes | None:
        """The bytes of a file; None when there is none. Raises UnsafeNameError, FileTooLargeError."""
        try:
            return read_limited(self._file(path), limit_bytes=LIMIT_BYTES)
        except NotFoundError:
            return None

    def list_paths(self, folder: str = "") -> list[str]:
        """Every JSON file below a folder, sorted; hidden ones and links to folders are left out."""
        start = child_path(self.root, *_split(folder)) if folder else self.root
        found: list[str] = []
        for path in self._walk(start, 0):
            found.append(path)
            if len(found) >= MAX_FILES:
                break
        return sorted(found, key=str.lower)

    def lock(self) -> AbstractContextManager[None]:
        """Keep other writers of this console out. Raises DiscussionBusyError."""
        return hold_lock(self.lock_file, timeout_seconds=LOCK_SECONDS, holder="Somebody who is saving configs")

    def write(self, path: str, data: bytes) -> str:
        """Replace or make a file; gives its ETag. Who may read a new one: `config_modes`. The caller holds the lock."""
        file = self._file(path)
        return write_atomic(file, data, new_mode=find_new_mode(self.root, file, data))

    def delete(self, path: str) -> None:
        """Remove a file. For a caller that holds the lock."""
        self._file(path).unlink(missing_ok=True)

    def rename(self, path: str, to: str) -> None:
        """Give a file another path. Raises ConflictError when something is there already."""
        source, target = self._file(path), self._file(to)
        if target.exists() and not (source.exists() and target.samefile(source)):
            raise ConflictError(f"There is already a file {to}.", path=to)
        target.parent.mkdir(parents=True, exist_ok=True)
        source.rename(target)

    def _walk(self, folder: Path, depth: int) -> Iterator[str]:
        if depth > MAX_PARTS or not folder.is_dir():
            return
        for entry in sorted(folder.iterdir()):
            if entry.name.startswith("."):
                continue
            if entry.is_dir() and not entry.is_symlink():
                yield from self._walk(entry, depth + 1)
            elif entry.suffix == ".json" and entry.is_file():
                yield entry.relative_to(self.root).as_posix()

    def _file(self, path: str) -> Path:
        parts = _split(path)
        if not parts[-1].endswith(".json") or parts[-1] == ".json":
            raise UnsafeNameError(f"{path!r} is no config file: its name must end in .json.", path=path)
        return child_path(self.root, *parts)


def version_of(data: bytes | None) -> str:
    """The ETag of a content; empty for no file."""
    return NO_FILE if data is None else etag_of(data)


def decode(data: bytes) -> tuple[str, str]:
    """The text of a file and the encoding it is in. What is not UTF-8 is shown byte by byte, so nothing is lost."""
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1"


def encode(text: str, encoding: str = "utf-8") -> bytes:
    """The bytes of a text: in the encoding the file had, as far as that can be.

    Raises ConfigInvalidError for half of a surrogate pair, which no encoding has.
    """
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        pass
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ConfigInvalidError(
            f"The text has half of a surrogate pair at character {error.start}; remove it and save again."
        ) from None


def _split(path: str) -> list[str]:
    parts = path.split("/")
    too_long = any(len(part.encode("utf-8", "replace")) > MAX_NAME_BYTES for part in parts)
    if too_long or len(parts) > MAX_PARTS or any(part.startswith(".") or part != part.strip() for part in parts):
        raise UnsafeNameError(
            f"{path[:200]!r} is not a usable path: names must not begin with a dot or a space, nor be longer than "
            f"{MAX_NAME_BYTES} bytes.",
            path=path[:200],
        )
    if not all(part.isprintable() for part in parts):
        raise UnsafeNameError("A path must not contain control characters.", path=path[:200])
    return parts
