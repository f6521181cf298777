"""Every discussion of one public folder: listed without opening a file, and opened one at a time."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from memory.engine.discussion_ids import check_may_create
from memory.errors import DiscussionNotFoundError
from memory.stores.contents import Access
from memory.stores.discussion_files import DiscussionFiles
from memory.stores.encryption import FileKeys, find_key_for_new_files
from memory.stores.folder_scan import (
    KEY_FOLDER,
    Findings,
    Found,
    scan_databases,
    scan_discussion,
    scan_flat,
    scan_root,
)
from memory.stores.journaling import NO_JOURNAL, Journal
from memory.stores.layouts import CURRENT_NAMES, LEGACY_DATABASE_ENDING, Place, base_of, check_ref, find_root
from memory.stores.locks import OWN_FOLDER, DiscussionLock
from memory.stores.public_folder import PublicFolder
from memory.stores.user_settings import find_current_user, read_user_settings
from memory.types import ApiKey, Artefact, DiscussionId, DiscussionRef, FileStat, Generation
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.errors import WilmerError

ScannedFiles = dict[Artefact, tuple[Path, Generation, FileStat]]

_SETTLED_NS = 2_000_000_000
"""A listing is trusted again only if the folder had been still this long: times of folders are coarse."""


class DiscussionFolders:
    """The discussions of one public folder. Safe to share between threads; nothing is created by reading."""

    def __init__(self, folder: PublicFolder, journal: Journal = NO_JOURNAL) -> None:
        self.folder = folder
        self._journal = journal
        self._flat: dict[Path, tuple[int, dict[DiscussionId, Findings]]] = {}

    def scan(self) -> dict[DiscussionRef, ScannedFiles]:
        """Every discussion and which of its files exist, from listings and stats alone.

        A folder that is a link out of the root is listed with one file, which then reads as unreadable. Ids that
        could not be created today are listed; names that no id can have are not.
        """
        target = scan_root(self.folder.discussions_root)
        found = target.found
        old_root = self.folder.old_discussions_root
        if old_root:
            old = scan_root(old_root)
            found |= {ref: old.found[ref] for ref in old.folders - target.folders}
        for folder in self._database_folders():
            for discussion_id, database in scan_databases(folder).items():
                found.setdefault(DiscussionRef(discussion_id), {}).setdefault(Artefact.VECTOR_MEMORY, database)
        return {ref: _to_scanned(findings) for ref, findings in found.items()}

    def look(self, ref: DiscussionRef) -> ScannedFiles | None:
        """What a scan would tell of one discussion; None when there is none. Raises UnsafeDiscussionIdError."""
        findings = self._find(ref)
        return None if findings is None else _to_scanned(findings)

    def open(
        self,
        ref: DiscussionRef,
        *,
        api_key: ApiKey | None = None,
        user_names: Sequence[str] = (),
        limit_bytes: int,
    ) -> DiscussionFiles:
        """The files of one discussion; encrypted ones are tried with the key and the salt of each user name.

        Raises DiscussionNotFoundError or UnsafeDiscussionIdError.
        """
        findings = self._find(ref)
        if findings is None:
            raise DiscussionNotFoundError(
                f"There is no discussion {ref.discussion_id!r} in the folder {self.folder.discussions_root.name}.",
                discussion=ref.text,
            )
        return self._to_files(ref, findings, Access(limit_bytes, FileKeys(api_key, user_names)))

    def open_or_create(
        self,
        ref: DiscussionRef,
        *,
        api_key: ApiKey | None = None,
        user_names: Sequence[str] = (),
        limit_bytes: int,
    ) -> DiscussionFiles:
        """As `open`, but also for a discussion that its first write will create, if its id allows that (W24)."""
        findings = self._find(ref)
        if findings is None:
            check_may_create(ref.discussion_id)
        return self._to_files(ref, findings or {}, Access(limit_bytes, FileKeys(api_key, user_names)))

    def _find(self, ref: DiscussionRef) -> Findings | None:
        check_ref(ref)
        if ref.key_hash is None and ref.discussion_id == OWN_FOLDER:
            return None
        if ref.key_hash is not None and not KEY_FOLDER.fullmatch(ref.key_hash):
            return None
        root = find_root(self.folder, ref)
        base = base_of(root, ref)
        if base.is_symlink() and ref.key_hash:
            return None
        nested = _scan_quietly(root, base / ref.discussion_id, ref.discussion_id)
        findings = _merge(self._list_flat(base, root).get(ref.discussion_id, {}), nested or {})
        if Artefact.VECTOR_MEMORY not in findings and ref.key_hash is None:
            findings |= self._find_database(ref.discussion_id)
        return findings if findings or nested is not None else None

    def _list_flat(self, base: Path, root: Path) -> dict[DiscussionId, Findings]:
        try:
            changed_ns = base.stat().st_mtime_ns
        except OSError:
            return {}
        known = self._flat.get(base)
        if known and known[0] == changed_ns:
            return known[1]
        listing = scan_flat(base, root)
        if utc_now().timestamp() * 1e9 - changed_ns > _SETTLED_NS:
            self._flat[base] = (changed_ns, listing)
        return listing

    def _find_database(self, discussion_id: DiscussionId) -> Findings:
        for folder in self._database_folders():
            if os.path.lexists(folder / f"{discussion_id}{LEGACY_DATABASE_ENDING}"):
                return {Artefact.VECTOR_MEMORY: scan_databases(folder)[discussion_id]}
        return {}

    def _database_folders(self) -> tuple[Path, ...]:
        return tuple(dict.fromkeys((self.folder.public_root, *self.folder.old_database_folders)))

    def _to_files(self, ref: DiscussionRef, findings: Findings, access: Access) -> DiscussionFiles:
        root = find_root(self.folder, ref)
        home = base_of(root, ref) / ref.discussion_id
        places = {
            artefact: findings[artefact].place
            if artefact in findings
            else Place(artefact, home / name, Generation.NESTED, root)
            for artefact, name in CURRENT_NAMES.items()
        }
        lock = DiscussionLock(self.folder.discussions_root, ref)
        access = replace(access, journal=self._journal.open(ref))
        return DiscussionFiles(ref, places, access, lock, lambda: self._find_new_key(ref, access.keys))

    def _find_new_key(self, ref: DiscussionRef, keys: FileKeys) -> bytes | None:
        """What the current user's settings ask for; nothing if the key at hand is not this discussion's."""
        user_name = find_current_user(self.folder.config_root)
        if user_name is None or ref.key_hash is None or keys.key_hash != ref.key_hash:
            return None
        try:
            is_on = read_user_settings(self.folder.config_root, user_name).encrypt_using_api_key
        except WilmerError:
            return None
        return find_key_for_new_files(keys.api_key, user_name, is_on=is_on)


def _scan_quietly(root: Path, home: Path, discussion_id: DiscussionId) -> Findings | None:
    try:
        return scan_discussion(root, home, discussion_id)
    except (OSError, ValueError):
        return None


def _merge(first: Findings, second: Findings) -> Findings:
    merged = dict(first)
    for artefact, found in second.items():
        if artefact not in merged or found.rank < merged[artefact].rank:
            merged[artefact] = found
    return merged


def _to_scanned(findings: Findings) -> ScannedFiles:
    return {artefact: _to_triple(found) for artefact, found in findings.items()}


def _to_triple(found: Found) -> tuple[Path, Generation, FileStat]:
    return found.place.path, found.place.generation, found.stat
