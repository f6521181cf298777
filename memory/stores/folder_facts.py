"""What lies beside the files of a discussion: leftovers, doubles, other generations, links out."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from memory.engine.health_facts import FolderFacts, RootFacts
from memory.stores.layouts import FLAT_ENDINGS, LEGACY_DATABASE_ENDING, base_of, find_root, list_nested_names
from memory.stores.public_folder import PublicFolder
from memory.types import Artefact, DiscussionRef

LEFTOVER_AGE = timedelta(minutes=1)
"""A temp file younger than this may belong to a writer that is at work."""


def read_folder_facts(
    folder: PublicFolder, ref: DiscussionRef, used: Mapping[Artefact, Path], *, now: datetime
) -> FolderFacts:
    """Facts for the health checks; `used` says which file counts for each artefact.

    Looks into the discussion's own folder and for names beside it, never through all other discussions.
    """
    root = find_root(folder, ref)
    home = base_of(root, ref) / ref.discussion_id
    if _leads_out(home, root):
        # What the link leads to is not the discussion's: none of its names may be told.
        return FolderFacts(ignored=_list_ignored(folder, ref, used, home, set()), links_out=(home.name,))
    entries = _list_entries(home)
    names = sorted(entry.name for entry in entries)
    return FolderFacts(
        leftovers=tuple(sorted(entry.name for entry in entries if _is_leftover(entry, now))),
        case_variants=tuple(_case_variants(ref, names)),
        ignored=_list_ignored(folder, ref, used, home, set(names)),
        links_out=tuple(sorted(entry.name for entry in entries if _leads_out(Path(entry.path), root))),
    )


def read_root_facts(root: Path, *, now: datetime) -> RootFacts:
    """Facts of the discussions folder itself; one listing, nothing is opened. An absent folder is no problem."""
    try:
        with os.scandir(root) as found:
            entries = list(found)
    except FileNotFoundError:
        return RootFacts(str(root))
    except OSError as error:
        return RootFacts(str(root), problem=error.strerror or str(error))
    alike: dict[str, list[str]] = {}
    for entry in entries:
        alike.setdefault(entry.name.casefold(), []).append(entry.name)
    return RootFacts(
        str(root),
        leftovers=tuple(sorted(entry.name for entry in entries if _is_leftover(entry, now))),
        case_variants=tuple(tuple(sorted(names)) for names in alike.values() if len(names) > 1),
    )


def delete_leftovers(home: Path, *, now: datetime) -> tuple[str, ...]:
    """Remove temp files of writers that died more than a minute ago; links are removed, not followed. Gives names."""
    gone = []
    for entry in _list_entries(home):
        if _is_leftover(entry, now) and not entry.is_dir(follow_symlinks=False):
            Path(entry.path).unlink(missing_ok=True)
            gone.append(entry.name)
    return tuple(sorted(gone))


def find_stamp(folder: Path) -> int:
    """When an entry of the folder last came, went or was renamed, in nanoseconds; 0 when there is no such folder."""
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return 0


def _list_entries(home: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(home) as found:
            return list(found)
    except OSError:
        return []


def _is_leftover(entry: os.DirEntry[str], now: datetime) -> bool:
    if not entry.name.endswith(".tmp"):
        return False
    try:
        return entry.stat(follow_symlinks=False).st_mtime < (now - LEFTOVER_AGE).timestamp()
    except OSError:
        return False


def _leads_out(path: Path, root: Path) -> bool:
    if not path.is_symlink():
        return False
    try:
        return not path.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError):
        return True


def _case_variants(ref: DiscussionRef, names: list[str]) -> Iterator[tuple[str, ...]]:
    known = {name.lower() for _, _, name in list_nested_names(ref.discussion_id)}
    for lowered in sorted(known):
        alike = tuple(name for name in names if name.lower() == lowered)
        if len(alike) > 1:
            yield alike


def _list_ignored(
    folder: PublicFolder, ref: DiscussionRef, used: Mapping[Artefact, Path], home: Path, names: set[str]
) -> dict[Artefact, tuple[str, ...]]:
    """Files of other generations that exist and are not the one that counts (memory.md §3.6)."""
    ignored: dict[Artefact, tuple[str, ...]] = {}
    for artefact, path in _list_candidates(folder, ref, home, names):
        if path != used.get(artefact) and not _is_same_file(path, used.get(artefact)):
            ignored[artefact] = (*ignored.get(artefact, ()), path.name)
    return ignored


def _list_candidates(
    folder: PublicFolder, ref: DiscussionRef, home: Path, names: set[str]
) -> Iterator[tuple[Artefact, Path]]:
    for artefact, _, name in list_nested_names(ref.discussion_id):
        if name in names:
            yield artefact, home / name
    for artefact, _, ending in FLAT_ENDINGS:
        path = home.parent / f"{ref.discussion_id}{ending}"
        if _is_file(path):
            yield artefact, path
    if ref.key_hash is None:
        path = folder.public_root / f"{ref.discussion_id}{LEGACY_DATABASE_ENDING}"
        if _is_file(path):
            yield Artefact.VECTOR_MEMORY, path


def _is_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def _is_same_file(path: Path, other: Path | None) -> bool:
    try:
        return other is not None and path.samefile(other)
    except OSError:
        return False
