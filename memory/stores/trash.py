"""Discussions that were deleted: their files lie in `<discussions root>/.wilmer-console/trash` until they are purged.

A discussion goes by renaming its files, one by one; a list of them is written first. A process that dies in between
loses nothing: what was not moved is still in its place, and putting back moves what was.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from memory.stores.belongings import Belonging, exists, find_home, find_place, list_belongings, list_roots
from memory.stores.locks import OWN_FOLDER
from memory.stores.public_folder import PublicFolder
from memory.types import DiscussionRef
from wilmer_site.lib.errors import ConflictError, InvalidError, NotFoundError, RefusedError
from wilmer_site.lib.files import write_atomic

FORM = 1
"""Of the list of files; a higher number is not read."""

_MANIFEST = "manifest.json"
_NAME = re.compile(r"[A-Za-z0-9._-]{1,120}")
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


class TrashNotFoundError(NotFoundError):
    """There is nothing of that name in the trash."""

    code = "trash-not-found"


class TrashClashError(ConflictError):
    """A file lies where one of the trash belongs. `extra` has `files`."""

    code = "trash-clash"


@dataclass(frozen=True, slots=True)
class TrashedFile:
    """One file of a deleted discussion."""

    root: str
    path: str
    """Below that root."""
    size_bytes: int
    is_there: bool = True
    """Whether it lies in the trash; if not, it never got there or was put back."""


@dataclass(frozen=True, slots=True)
class TrashEntry:
    """One deleted discussion."""

    name: str
    """Of its folder in the trash."""
    ref: DiscussionRef | None
    """None: its list of files cannot be read."""
    deleted_at: datetime | None
    actor: str
    files: tuple[TrashedFile, ...]
    problem: str = ""

    @property
    def size_bytes(self) -> int:
        """Of all files in the trash."""
        return sum(file.size_bytes for file in self.files if file.is_there)

    @property
    def file_count(self) -> int:
        """How many files lie in the trash."""
        return sum(file.is_there for file in self.files)


class TrashFolder:
    """The trash of one folder of discussions. Use it under the lock of the discussion concerned."""

    def __init__(self, folder: PublicFolder) -> None:
        self._folder = folder
        self.path = folder.discussions_root / OWN_FOLDER / "trash"

    def put(self, ref: DiscussionRef, *, actor: str, now: datetime) -> TrashEntry:
        """Move all files of a discussion into the trash. Raises NotFoundError when it has none, LinkedFolderError."""
        self._check_own_folder()
        belongings = list_belongings(self._folder, ref)
        home = find_home(self._folder, ref)
        if not belongings and not home.is_dir():
            raise NotFoundError(f"The discussion {ref.discussion_id!r} has no files.", discussion=ref.text)
        name = _build_name(ref, now)
        target = self.path / name
        target.mkdir(parents=True, mode=0o700)
        self._write_manifest(target, ref, belongings, (actor, now))
        for number, belonging in enumerate(belongings):
            _move(belonging.path, target / str(number))
        with contextlib.suppress(OSError):
            home.rmdir()  # Refused while anything else lies in it.
        return self.get(name)

    def list(self) -> tuple[TrashEntry, ...]:
        """Everything in the trash, what went last first."""
        if self.path.is_symlink() or not self.path.is_dir():
            return ()
        names = [entry.name for entry in os.scandir(self.path) if entry.is_dir(follow_symlinks=False)]
        entries = [self.get(name) for name in names if _NAME.fullmatch(name)]
        return tuple(sorted(entries, key=lambda entry: (str(entry.deleted_at or ""), entry.name), reverse=True))

    def get(self, name: str) -> TrashEntry:
        """One deleted discussion; raises TrashNotFoundError."""
        place = self._find(name)
        try:
            return _parse(name, json.loads((place / _MANIFEST).read_bytes()), place)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            found = tuple(
                TrashedFile("", entry.name, entry.lstat().st_size) for entry in place.iterdir() if entry.is_file()
            )
            return TrashEntry(name, None, None, "", found, "Its list of files cannot be read.")

    def check_restore(self, name: str) -> TrashEntry:
        """The entry, if it could be put back now; raises as `restore`."""
        entry = self.get(name)
        self._plan_restore(entry)
        return entry

    def restore(self, name: str) -> TrashEntry:
        """Move the files back to where they came from.

        Raises TrashNotFoundError, TrashClashError when a file lies there by now, or InvalidError for a list of files
        that names a place no file of that discussion can have.
        """
        entry, place = self.get(name), self._find(name)
        targets = self._plan_restore(entry)
        for number, path in targets.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            _move(place / str(number), path)
        shutil.rmtree(place)
        return entry

    def purge(self, name: str) -> TrashEntry:
        """Delete for ever; links in it are removed, not followed. Raises TrashNotFoundError."""
        entry, place = self.get(name), self._find(name)
        shutil.rmtree(place)
        return entry

    def _plan_restore(self, entry: TrashEntry) -> dict[int, Path]:
        if entry.ref is None:
            raise InvalidError(f"{entry.problem} Its files lie in the trash under {entry.name}; move them by hand.")
        targets: dict[int, Path] = {}
        for number, file in enumerate(entry.files):
            path = find_place(self._folder, entry.ref, file.root, file.path)
            if path is None:
                raise InvalidError(f"{file.path!r} is no place for a file of {entry.ref.discussion_id!r}.")
            if file.is_there:
                targets[number] = path
        clashes = [path.name for path in targets.values() if exists(path)]
        if clashes:
            raise TrashClashError(
                f"{', '.join(clashes)} exists already, so the deleted discussion cannot be put back there. Rename or "
                "delete the other one first.",
                files=clashes,
            )
        return targets

    def _find(self, name: str) -> Path:
        place = self.path / name
        if not _NAME.fullmatch(name) or name.startswith(".") or place.is_symlink() or not place.is_dir():
            raise TrashNotFoundError("There is no such discussion in the trash.", name=name[:120])
        return place

    def _check_own_folder(self) -> None:
        for path in (self.path.parent, self.path):
            if path.is_symlink():
                raise RefusedError(f"{path.name} is a link, so nothing is moved there. Remove it first.")

    def _write_manifest(
        self, target: Path, ref: DiscussionRef, belongings: Sequence[Belonging], signed: tuple[str, datetime]
    ) -> None:
        roots = list_roots(self._folder)
        files = [
            {"root": item.root, "path": item.relative_to(roots[item.root]), "size": item.path.lstat().st_size}
            for item in belongings
        ]
        value = {"form": FORM, "ref": ref.text, "deleted_at": signed[1].isoformat(), "actor": signed[0], "files": files}
        write_atomic(target / _MANIFEST, json.dumps(value, indent=4).encode())


def _build_name(ref: DiscussionRef, now: datetime) -> str:
    readable = _UNSAFE.sub("_", ref.discussion_id)[:40].strip("._-") or "discussion"
    digest = hashlib.sha256(ref.text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{readable}-{digest}-{now:%Y%m%dT%H%M%S%f}"


def _parse(name: str, value: Any, place: Path) -> TrashEntry:
    if value["form"] > FORM:
        raise ValueError("written by a newer console")
    files = tuple(
        TrashedFile(str(item["root"]), str(item["path"]), int(item["size"]), exists(place / str(number)))
        for number, item in enumerate(value["files"])
    )
    moment = datetime.fromisoformat(value["deleted_at"])
    return TrashEntry(name, DiscussionRef.parse(str(value["ref"])), moment, str(value["actor"]), files)


def _move(source: Path, target: Path) -> None:
    """Rename; a file on another disk is copied, made durable and then removed. Links are moved as links."""
    try:
        source.rename(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        shutil.copy2(source, target, follow_symlinks=False)
        if not target.is_symlink():
            with target.open("rb") as stream:
                os.fsync(stream.fileno())
        source.unlink()
