"""What lies in a discussions root, found with one pass of `scandir` and no file opened (memory.md §3)."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from memory.stores.contents import is_inside
from memory.stores.layouts import (
    CURRENT_NAMES,
    GUIDE_NESTED_ENDINGS,
    LEGACY_DATABASE_ENDING,
    Place,
    is_usable_name,
    parse_flat_name,
)
from memory.stores.locks import OWN_FOLDER
from memory.types import Artefact, DiscussionId, DiscussionRef, FileStat, Generation, KeyHash

KEY_FOLDER = re.compile(r"[0-9a-f]{16}")
"""How the folder of an API key looks; an id may look the same (traps I2)."""

_ORDER = {generation: rank for rank, generation in enumerate(Generation)}
_NESTED_BY_NAME = {name: artefact for artefact, name in CURRENT_NAMES.items()}


@dataclass(frozen=True, slots=True)
class Found:
    """One file found, with its place among the candidates for the same artefact."""

    place: Place
    stat: FileStat
    rank: tuple[bool, int, str]
    """Exact names before other letter cases (W13), then by generation, then by name."""


Findings = dict[Artefact, Found]


@dataclass(slots=True)
class RootScan:
    """Everything one discussions root holds."""

    found: dict[DiscussionRef, Findings] = field(default_factory=dict)
    folders: set[DiscussionRef] = field(default_factory=set)
    """Discussions that have a folder here."""


def scan_root(root: Path) -> RootScan:
    """All discussions below a root, in the root itself and in the folders of API keys; empty if there is no root."""
    scan = RootScan()
    for entry in list_entries(root):
        if entry.name == OWN_FOLDER:
            continue
        if not _is_folder(entry):
            _add_flat(scan, entry, root, None)
        elif KEY_FOLDER.fullmatch(entry.name) and not entry.is_symlink():
            _add_key_or_discussion(scan, entry, root)
        else:
            _add_folder(scan, entry, root, None)
    return scan


def scan_discussion(root: Path, home: Path, discussion_id: DiscussionId) -> Findings | None:
    """The files inside one discussion's folder; None if it is no discussion's folder.

    A folder belongs to a discussion if it holds a file of one, or nothing at all.
    """
    if home.is_symlink() and not is_inside_quietly(root, home):
        return {Artefact.MEMORIES: _outside(root, home)}
    if not home.is_dir():
        return None
    findings: Findings = {}
    is_empty = True
    for entry in list_entries(home):
        is_empty = False
        for artefact, generation, is_exact in _parse_nested(entry.name, discussion_id):
            # Joining is far cheaper than parsing the whole path of each of many thousand files.
            place = Place(artefact, home / entry.name, generation, root)
            _offer(findings, _found(entry, place, is_exact=is_exact))
    is_key_folder = home.parent == root and KEY_FOLDER.fullmatch(home.name) is not None
    return findings if findings or (is_empty and not is_key_folder) else None


def scan_flat(base: Path, root: Path) -> dict[DiscussionId, Findings]:
    """The flat files of one folder, by discussion."""
    flat: dict[DiscussionId, Findings] = {}
    for entry in list_entries(base):
        found = _find_flat(entry, root)
        if found and not _is_folder(entry):
            _offer(flat.setdefault(found[0], {}), found[1])
    return flat


def scan_databases(folder: Path) -> dict[DiscussionId, Found]:
    """The vector databases that lie in a `Public` folder itself, as until 2026-06 (memory.md §3.4)."""
    databases: dict[DiscussionId, Found] = {}
    for entry in list_entries(folder):
        if entry.name.endswith(LEGACY_DATABASE_ENDING) and not _is_folder(entry):
            parsed = parse_flat_name(entry.name)
            if parsed:
                place = Place(Artefact.VECTOR_MEMORY, Path(entry.path), Generation.LEGACY_PUBLIC, folder)
                databases[parsed[0]] = _found(entry, place, is_exact=True)
    return databases


def list_entries(folder: Path) -> list[os.DirEntry[str]]:
    """The entries of a folder; none if it cannot be listed."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except (OSError, ValueError):
        return []


def is_inside_quietly(root: Path, path: Path) -> bool:
    """Whether a path stays below a root through every link; loops count as outside."""
    try:
        return is_inside(root, path)
    except (OSError, RuntimeError, ValueError):
        return False


def _add_key_or_discussion(scan: RootScan, entry: os.DirEntry[str], root: Path) -> None:
    """Tell a key's folder from a discussion whose id looks like one by what is inside; it may be both (I2)."""
    key_hash = KeyHash(entry.name)
    _add_folder(scan, entry, root, None)
    is_discussion = DiscussionRef(DiscussionId(entry.name)) in scan.found
    for inner in list_entries(Path(entry.path)):
        if _is_folder(inner):
            _add_folder(scan, inner, root, key_hash)
        elif not (is_discussion and inner.name.startswith(f"{entry.name}_")):
            _add_flat(scan, inner, root, key_hash)


def _add_folder(scan: RootScan, entry: os.DirEntry[str], root: Path, key_hash: KeyHash | None) -> None:
    if not is_usable_name(entry.name):
        return
    ref = DiscussionRef(DiscussionId(entry.name), key_hash)
    findings = scan_discussion(root, Path(entry.path), ref.discussion_id)
    if findings is not None:
        scan.folders.add(ref)
        for found in findings.values():
            _offer(scan.found.setdefault(ref, {}), found)
        scan.found.setdefault(ref, {})


def _add_flat(scan: RootScan, entry: os.DirEntry[str], root: Path, key_hash: KeyHash | None) -> None:
    found = _find_flat(entry, root)
    if found:
        _offer(scan.found.setdefault(DiscussionRef(found[0], key_hash), {}), found[1])


def _find_flat(entry: os.DirEntry[str], root: Path) -> tuple[DiscussionId, Found] | None:
    parsed = parse_flat_name(entry.name)
    if parsed is None:
        return None
    discussion_id, artefact, generation, is_exact = parsed
    return discussion_id, _found(entry, Place(artefact, Path(entry.path), generation, root), is_exact=is_exact)


def _parse_nested(name: str, discussion_id: str) -> Iterator[tuple[Artefact, Generation, bool]]:
    lowered = name.lower()
    artefact = _NESTED_BY_NAME.get(lowered)
    if artefact:
        yield artefact, Generation.NESTED, name == lowered
    elif name.startswith(discussion_id):
        ending = name[len(discussion_id) :]
        for guide_artefact, generation, known in GUIDE_NESTED_ENDINGS:
            if ending.lower() == known:
                yield guide_artefact, generation, ending == known


def _offer(findings: Findings, found: Found) -> None:
    known = findings.get(found.place.artefact)
    if known is None or found.rank < known.rank:
        findings[found.place.artefact] = found


def _found(entry: os.DirEntry[str], place: Place, *, is_exact: bool) -> Found:
    return Found(place, _stat_entry(entry, place.root), (not is_exact, _ORDER[place.generation], entry.name))


def _stat_entry(entry: os.DirEntry[str], root: Path) -> FileStat:
    """What a link says of itself if it leads out of the root: then it is never followed."""
    try:
        follow = not entry.is_symlink() or is_inside_quietly(root, Path(entry.path))
        return _to_stat(entry.stat(follow_symlinks=follow))
    except OSError:
        return FileStat(0, 0, 0, 0)


def _outside(root: Path, home: Path) -> Found:
    place = Place(Artefact.MEMORIES, home / CURRENT_NAMES[Artefact.MEMORIES], Generation.NESTED, root)
    return Found(place, _to_stat(home.lstat()), (False, 0, place.path.name))


def _to_stat(found: os.stat_result) -> FileStat:
    return FileStat(found.st_size, found.st_mtime_ns, found.st_ino, stat.S_IMODE(found.st_mode))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False
