"""New discussions put together beside the others, and moved into place when they are whole."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path, PurePosixPath

from memory.errors import DamagedFileError
from memory.stores.belongings import exists, find_home, find_place
from memory.stores.contents import read_whole
from memory.stores.layouts import CURRENT_NAMES, GUIDE_NESTED_ENDINGS, Place
from memory.stores.locks import OWN_FOLDER
from memory.stores.public_folder import PublicFolder
from memory.stores.vector_schema import list_tables
from memory.stores.vector_state import reading, translate_error
from memory.types import Artefact, DiscussionId, DiscussionRef
from wilmer_site.lib.errors import ConflictError, InvalidError, NotFoundError
from wilmer_site.lib.files import FileUnreadableError, write_atomic
from wilmer_site.lib.sqlite import WRITE_TIMEOUT_SECONDS, write_transaction

NEW_FOLDER_MODE = 0o755
LINES_ENDINGS = {artefact: ending for artefact, _, ending in GUIDE_NESTED_ENDINGS}
_ROW_TABLES = ("memories", "vector_memory_hash_log", "vector_memory_tracker")


class DiscussionExistsError(ConflictError):
    """There is a discussion of that name already. `extra` has `discussion`."""

    code = "discussion-exists"


class Staging:
    """The files of one new discussion, not in place yet."""

    def __init__(self, folder: PublicFolder, ref: DiscussionRef, place: Path) -> None:
        self._folder = folder
        self._ref = ref
        self._place = place
        self._files: dict[Path, Path] = {}

    def add(self, root: str, relative: str) -> Path:
        """Where to write a file that will lie there. Raises InvalidError for a place that is none of its own."""
        final = find_place(self._folder, self._ref, root, relative)
        if final is None or final in self._files:
            raise InvalidError(f"{relative!r} is no place for a file of {self._ref.discussion_id!r}.")
        self._files[final] = self._place / str(len(self._files))
        return self._files[final]

    def add_current(self, artefact: Artefact) -> Path:
        """The same for a file under its name of today."""
        return self._add_nested(CURRENT_NAMES[artefact])

    def add_lines(self, artefact: Artefact) -> Path:
        """The same for a list of JSON lines, under the name that says so."""
        return self._add_nested(f"{self._ref.discussion_id}{LINES_ENDINGS[artefact]}")

    def _add_nested(self, name: str) -> Path:
        base = [self._ref.key_hash] if self._ref.key_hash else []
        return self.add("discussions", "/".join([*base, self._ref.discussion_id, name]))

    def commit(self) -> None:
        """Move everything into place: the folder of the discussion in one step. Raises DiscussionExistsError."""
        home = self._folder.discussions_root / (self._ref.key_hash or "") / self._ref.discussion_id
        taken = [path.name for path in (home, *self._files) if exists(path)]
        if taken:
            raise DiscussionExistsError(
                f"{', '.join(dict.fromkeys(taken))} exists already. Choose another id, or move the other discussion "
                "to the trash first.",
                discussion=self._ref.text,
            )
        inner = self._place / "home"
        inner.mkdir(mode=NEW_FOLDER_MODE)
        for final, temp in self._files.items():
            if final.parent == home:
                temp.rename(inner / final.name)
        home.parent.mkdir(parents=True, exist_ok=True)
        inner.rename(home)
        for final, temp in self._files.items():
            if final.parent != home:
                final.parent.mkdir(parents=True, exist_ok=True)
                temp.rename(final)


@contextlib.contextmanager
def building(folder: PublicFolder, ref: DiscussionRef) -> Iterator[Staging]:
    """Put a new discussion together; what was not moved into place is removed."""
    find_home(folder, ref)
    place = folder.discussions_root / OWN_FOLDER / "staging" / secrets.token_hex(8)
    place.mkdir(parents=True, mode=0o700)
    try:
        yield Staging(folder, ref, place)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def delete_stale_stagings(folder: PublicFolder, *, older_than_ns: int) -> int:
    """Remove what killed processes left half built; returns how many."""
    count = 0
    top = folder.discussions_root / OWN_FOLDER / "staging"
    with contextlib.suppress(OSError):
        for entry in os.scandir(top):
            if entry.is_dir(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_mtime_ns < older_than_ns:
                shutil.rmtree(entry.path, ignore_errors=True)
                count += 1
    return count


def rename_in_path(relative: str, old: DiscussionRef, new: DiscussionRef) -> str:
    """The place of a file below its root, after its discussion got another name."""
    *folders, name = PurePosixPath(relative).parts
    prefix = f"{old.discussion_id}_"
    renamed = f"{new.discussion_id}_{name.removeprefix(prefix)}" if name.startswith(prefix) else name
    is_nested = bool(folders) and folders[-1] == old.discussion_id and len(folders) > bool(old.key_hash)
    base = [new.key_hash] if new.key_hash else []
    return "/".join([*base, *([new.discussion_id] if is_nested else []), renamed])


def copy_place(place: Place, target: Path) -> None:
    """Copy bytes and mode of a file that lies inside its root; raises FileUnreadableError for any other."""
    data = read_whole(place)
    if data is None:
        raise FileUnreadableError(f"{place.path.name} is gone.", file=place.path.name)
    write_atomic(target, data)
    shutil.copymode(place.path, target)


def copy_file(source: Path, target: Path) -> None:
    """Copy bytes and mode; a link is refused. Raises FileUnreadableError."""
    if source.is_symlink():
        raise FileUnreadableError(f"{source.name} is a link, which is not followed here.", file=source.name)
    try:
        shutil.copyfile(source, target)
        shutil.copymode(source, target)
    except OSError as error:
        raise FileUnreadableError(f"{source.name} cannot be read: {error.strerror}.", file=source.name) from None


def snapshot_database(source: Path, target: Path) -> None:
    """A copy of a database as it is at one moment, whoever is writing it; damaged ones are copied as they are.

    Raises FileUnreadableError, DatabaseBusyError or NotFoundError.
    """
    if source.is_symlink():
        raise FileUnreadableError(f"{source.name} is a link, which is not followed here.", file=source.name)
    try:
        if not source.stat().st_size:  # As WilmerAI leaves it when it searches before anything was stored.
            copy_file(source, target)
            return
        with (
            reading(source, timeout_seconds=WRITE_TIMEOUT_SECONDS) as connection,
            closing(sqlite3.connect(target)) as copy,
        ):
            connection.backup(copy)
        shutil.copymode(source, target)
    except DamagedFileError:
        copy_file(source, target)
    except (NotFoundError, FileNotFoundError):
        raise FileUnreadableError(f"{source.name} is gone.", file=source.name) from None


def rename_rows(path: Path, old: DiscussionId, new: DiscussionId) -> None:
    """Write another discussion id into all rows of a database; one that is no database stays as it is."""
    try:
        with write_transaction(path) as connection:
            for table in sorted(list_tables(connection).intersection(_ROW_TABLES)):
                statement = f"UPDATE {table} SET discussion_id = ? WHERE discussion_id = ?"
                connection.execute(statement, (new, old))
    except sqlite3.DatabaseError as error:
        translated = translate_error(error, path)
        if not isinstance(translated, DamagedFileError):
            raise translated from error
