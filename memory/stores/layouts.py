"""The names that every generation gave to the files of a discussion, and which of them is in use (memory.md §3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from memory.errors import UnsafeDiscussionIdError
from memory.stores.public_folder import PublicFolder
from memory.types import Artefact, DiscussionId, DiscussionRef, Generation
from wilmer_site.lib.ids import is_plain_name

Names = tuple[tuple[Artefact, Generation, str], ...]
"""Artefact, generation and the part of the file name after the id."""

CURRENT_NAMES: Mapping[Artefact, str] = {
    artefact: f"{artefact.value}.json"
    for artefact in Artefact
    if artefact not in {Artefact.STATE_DOCUMENT, Artefact.STATE_DOCUMENT_BACKUP, Artefact.VECTOR_MEMORY}
} | {
    Artefact.STATE_DOCUMENT: "state_document.md",
    Artefact.STATE_DOCUMENT_BACKUP: "state_document.md.bak",
    Artefact.VECTOR_MEMORY: "vector_memory.db",
}
"""File names inside a discussion's folder today (memory.md §3.3)."""

LEGACY_DATABASE_ENDING = "_vector_memory.db"

_GUIDE_ENDINGS = {
    Artefact.MEMORIES: "_memories.jsonl",
    Artefact.SUMMARY: "_summary.jsonl",
    Artefact.VECTOR_MEMORY: LEGACY_DATABASE_ENDING,
}
_NESTED_ONLY = {Artefact.STATE_DOCUMENT, Artefact.STATE_DOCUMENT_BACKUP}

GUIDE_NESTED_ENDINGS: Names = tuple(
    (artefact, Generation.GUIDE_NESTED, end) for artefact, end in _GUIDE_ENDINGS.items()
)
"""Endings of `<id>…` inside the discussion's folder."""

FLAT_ENDINGS: Names = (
    *(
        (artefact, Generation.FLAT, f"_{name}")
        for artefact, name in CURRENT_NAMES.items()
        if artefact not in _NESTED_ONLY
    ),
    (Artefact.MEMORIES, Generation.GUIDE_FLAT, _GUIDE_ENDINGS[Artefact.MEMORIES]),
    (Artefact.SUMMARY, Generation.GUIDE_FLAT, _GUIDE_ENDINGS[Artefact.SUMMARY]),
)
"""Endings of `<id>…` beside the discussions' folders."""

_FLAT_BY_ENDING = {ending: (artefact, generation) for artefact, generation, ending in FLAT_ENDINGS}


@dataclass(frozen=True, slots=True)
class Place:
    """Where one file of a discussion lies, or would lie."""

    artefact: Artefact
    path: Path
    generation: Generation
    root: Path
    """The folder that the file must not leave, not even through a link."""


def check_ref(ref: DiscussionRef) -> None:
    """Raise UnsafeDiscussionIdError for an id or key hash that cannot be a folder of its own (memory.md §2)."""
    for name in (ref.discussion_id, *([ref.key_hash] if ref.key_hash is not None else [])):
        if not is_usable_name(name):
            raise UnsafeDiscussionIdError(
                f"{name!r} cannot name a discussion: it must not be empty, '.' or '..', nor contain / \\ or :",
                discussion_id=ref.discussion_id,
            )


def is_usable_name(name: str) -> bool:
    """Whether a folder or file may belong to a discussion: a plain name, in UTF-8.

    Names that are not UTF-8 on disk come as lone surrogates; no chat can name them and no page can show them.
    """
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return is_plain_name(name)


def base_of(root: Path, ref: DiscussionRef) -> Path:
    """The folder that holds the discussion's folder: the root, or the key's folder in it."""
    return root / ref.key_hash if ref.key_hash else root


def find_root(folder: PublicFolder, ref: DiscussionRef) -> Path:
    """The discussions root this discussion lives in: the one in use, or the old fixed place (memory.md §3.2).

    The old place counts only as long as the discussion has a folder there and none in the root in use.
    """
    check_ref(ref)
    old = folder.old_discussions_root
    if old and not _is_folder(base_of(folder.discussions_root, ref) / ref.discussion_id):
        return old if _is_folder(base_of(old, ref) / ref.discussion_id) else folder.discussions_root
    return folder.discussions_root


def find_folder(folder: PublicFolder, ref: DiscussionRef) -> Path:
    """The discussion's folder, whether or not it exists; nothing is created. Raises UnsafeDiscussionIdError."""
    return base_of(find_root(folder, ref), ref) / ref.discussion_id


def create_folder(folder: PublicFolder, ref: DiscussionRef) -> Path:
    """The discussion's folder, created if need be; in the old place if the root in use cannot have it (§3.2).

    Raises UnsafeDiscussionIdError, or OSError when there is no old place to fall back to.
    """
    path = find_folder(folder, ref)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError:
        if folder.old_discussions_root is None:
            raise
        path = base_of(folder.old_discussions_root, ref) / ref.discussion_id
        path.mkdir(parents=True, exist_ok=True)
    return path


def find_reference_path(folder: PublicFolder, ref: DiscussionRef, artefact: Artefact) -> Path:
    """The file that WilmerAI itself reads and writes, whether or not it exists (memory.md §3.5)."""
    home = find_folder(folder, ref)
    name = CURRENT_NAMES[artefact]
    candidates = [home / name]
    if ref.key_hash is None and artefact is Artefact.VECTOR_MEMORY:
        old_name = f"{ref.discussion_id}{LEGACY_DATABASE_ENDING}"
        candidates += [place / old_name for place in folder.old_database_folders]
    elif ref.key_hash is None and artefact not in _NESTED_ONLY:
        candidates.append(home.parent / f"{ref.discussion_id}_{name}")
    return next((path for path in candidates if _exists(path)), candidates[0])


def list_nested_names(discussion_id: DiscussionId) -> Iterator[tuple[Artefact, Generation, str]]:
    """The names a file may have inside the discussion's folder, in order of preference per artefact (§3.6)."""
    for artefact, name in CURRENT_NAMES.items():
        yield artefact, Generation.NESTED, name
    for artefact, generation, ending in GUIDE_NESTED_ENDINGS:
        yield artefact, generation, f"{discussion_id}{ending}"


def parse_flat_name(name: str) -> tuple[DiscussionId, Artefact, Generation, bool] | None:
    """Id, artefact, generation and whether the ending has its usual letter case; None for other files."""
    position = -1
    lowered = name.lower()
    if len(lowered) != len(name):
        return None
    while (position := lowered.find("_", position + 1)) >= 0:
        known = _FLAT_BY_ENDING.get(lowered[position:])
        if known and is_usable_name(name[:position]):
            artefact, generation = known
            return DiscussionId(name[:position]), artefact, generation, name[position:] == lowered[position:]
    return None


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
