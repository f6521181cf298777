"""Every file on disk that belongs to one discussion, whatever generation, and nothing else.

More than `DiscussionFolders.look` tells: files of older generations that are not used, what SQLite keeps beside a
database, and the copies that were kept of damaged files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from memory.stores.folder_scan import is_inside_quietly, list_entries
from memory.stores.layouts import (
    LEGACY_DATABASE_ENDING,
    base_of,
    check_ref,
    find_root,
    list_nested_names,
    parse_flat_name,
)
from memory.stores.public_folder import PublicFolder
from memory.types import Artefact, DiscussionRef
from wilmer_site.lib.errors import RefusedError

_BESIDE_DATABASE = re.compile(r"-(journal|wal|shm)\Z")
_DAMAGED_COPY = re.compile(r"\.damaged\d*\Z")
_PARTS = 3
"""At most: key hash, discussion, file."""


Parser = Callable[[str, DiscussionRef], Artefact | None]


@dataclass(frozen=True, slots=True)
class _Recognised:
    """A name that belongs to a discussion."""

    artefact: Artefact | None


class LinkedFolderError(RefusedError):
    """The discussion's folder is a link, and links are never followed for moving or deleting."""

    code = "linked-folder"


@dataclass(frozen=True, slots=True)
class Belonging:
    """One file of a discussion."""

    path: Path
    root: str
    """Which root it lies below: a key of `list_roots`."""
    artefact: Artefact | None
    """None for what only lies beside one: a journal of SQLite, a copy of a damaged file."""

    def relative_to(self, root: Path) -> str:
        """Its place below that root, with slashes."""
        return self.path.relative_to(root).as_posix()


def list_roots(folder: PublicFolder) -> dict[str, Path]:
    """The folders that files of discussions may lie below, by a name that holds on every machine."""
    roots = {"discussions": folder.discussions_root, "public": folder.public_root}
    if folder.old_discussions_root:
        roots["old-discussions"] = folder.old_discussions_root
    for number, path in enumerate(folder.old_database_folders, 1):
        roots[f"old-databases-{number}"] = path
    return roots


def find_home(folder: PublicFolder, ref: DiscussionRef) -> Path:
    """The discussion's own folder, whether or not it exists. Raises UnsafeDiscussionIdError or LinkedFolderError."""
    check_ref(ref)
    root = find_root(folder, ref)
    home = base_of(root, ref) / ref.discussion_id
    for path in (base_of(root, ref), home):
        if path != root and path.is_symlink():
            raise LinkedFolderError(
                f"{path.name} is a link, which is not followed here. Put the folder itself there, or remove the link "
                "by hand.",
                folder=path.name,
            )
    return home


def list_belongings(folder: PublicFolder, ref: DiscussionRef) -> tuple[Belonging, ...]:
    """All files of a discussion; links count as what they are. Raises UnsafeDiscussionIdError or LinkedFolderError."""
    home = find_home(folder, ref)
    root = "old-discussions" if home.is_relative_to(folder.old_discussions_root or home / "no") else "discussions"
    found = [Belonging(path, root, artefact) for path, artefact in _list(home, ref, _parse_nested)]
    found += [Belonging(path, root, artefact) for path, artefact in _list(home.parent, ref, _parse_flat)]
    if ref.key_hash is None:
        for name, place in list_roots(folder).items():
            if name == "public" or name.startswith("old-databases"):
                found += [Belonging(path, name, artefact) for path, artefact in _list(place, ref, _parse_database)]
    known: dict[Path, Belonging] = {}
    for belonging in found:
        known.setdefault(belonging.path, belonging)
    return tuple(known.values())


def find_place(folder: PublicFolder, ref: DiscussionRef, root: str, relative: str) -> Path | None:
    """The path of a file that may belong to a discussion; None for any other, so that no list of ours is trusted."""
    top = list_roots(folder).get(root)
    parts = PurePosixPath(relative).parts
    if top is None or not 1 <= len(parts) <= _PARTS or not _is_possible(ref, root, parts):
        return None
    path = top.joinpath(*parts)
    return path if is_inside_quietly(top, path.parent) and not path.parent.is_symlink() else None


def list_others(folder: PublicFolder, ref: DiscussionRef) -> tuple[str, ...]:
    """Names in the discussion's folder that do not belong to it."""
    home = find_home(folder, ref)
    own = {belonging.path for belonging in list_belongings(folder, ref)}
    return tuple(sorted(entry.name for entry in list_entries(home) if home / entry.name not in own))


def _is_possible(ref: DiscussionRef, root: str, parts: tuple[str, ...]) -> bool:
    name, folders = parts[-1], parts[:-1]
    base = (ref.key_hash,) if ref.key_hash else ()
    if root in {"discussions", "old-discussions"}:
        if folders == (*base, ref.discussion_id):
            return _recognise(name, ref, _parse_nested) is not None
        return folders == base and _recognise(name, ref, _parse_flat) is not None
    return not folders and not base and _recognise(name, ref, _parse_database) is not None


def _list(folder: Path, ref: DiscussionRef, parse: Parser) -> Iterator[tuple[Path, Artefact | None]]:
    for entry in list_entries(folder):
        found = _recognise(entry.name, ref, parse)
        if found and not entry.is_dir(follow_symlinks=False):
            yield folder / entry.name, found.artefact


def _recognise(name: str, ref: DiscussionRef, parse: Parser) -> _Recognised | None:
    """What a name says; also names of companions, which belong to whom the file beside them belongs."""
    artefact = parse(name, ref)
    if artefact:
        return _Recognised(artefact)
    owner = parse(_BESIDE_DATABASE.sub("", name), ref)
    if owner is Artefact.VECTOR_MEMORY or parse(_DAMAGED_COPY.sub("", name), ref):
        return _Recognised(None)
    return None


def _parse_nested(name: str, ref: DiscussionRef) -> Artefact | None:
    known = {nested.lower(): artefact for artefact, _, nested in list_nested_names(ref.discussion_id)}
    return known.get(name.lower())


def _parse_flat(name: str, ref: DiscussionRef) -> Artefact | None:
    parsed = parse_flat_name(name)
    return parsed[1] if parsed and parsed[0] == ref.discussion_id else None


def _parse_database(name: str, ref: DiscussionRef) -> Artefact | None:
    return Artefact.VECTOR_MEMORY if name == f"{ref.discussion_id}{LEGACY_DATABASE_ENDING}" else None


def exists(path: Path) -> bool:
    """Whether anything is at a path, a broken link included."""
    return os.path.lexists(path)
