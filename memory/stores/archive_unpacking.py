"""The files of an archived discussion, unpacked beside the others."""

from __future__ import annotations

from memory.stores.archive_reading import Archive, ArchiveRefusedError
from memory.stores.archive_writing import ArchivedDiscussion, ArchivedFile
from memory.stores.belongings import find_place
from memory.stores.public_folder import PublicFolder
from memory.stores.staging import Staging, rename_in_path, rename_rows
from memory.types import DiscussionRef

_DATABASE_ENDING = ".db"
_MODES = 0o666
"""What may be taken over of a mode; the owner may always read and write."""


def unpack_files(
    archive: Archive, item: ArchivedDiscussion, staging: Staging, names: tuple[DiscussionRef, DiscussionRef]
) -> None:
    """Write every file where it will lie, and the new id into the rows of databases.

    Raises ArchiveRefusedError for a file that is not what the list says, InvalidError for a place that is none.
    """
    old, new = names
    if not item.files and not item.problems:
        return
    for file in item.files:
        temp = staging.add(_root_of(file), rename_in_path(file.path, old, new))
        with temp.open("xb") as stream:
            archive.read_file(file, stream)
        temp.chmod((file.mode & _MODES) | 0o600)
        if file.path.lower().endswith(_DATABASE_ENDING) and old.discussion_id != new.discussion_id:
            rename_rows(temp, old.discussion_id, new.discussion_id)


def check_places(folder: PublicFolder, item: ArchivedDiscussion, ref: DiscussionRef) -> None:
    """Refuse an archive that would put a file anywhere but where files of that discussion lie, before it is unpacked.

    Raises ArchiveRefusedError.
    """
    seen: set[str] = set()
    for file in item.files:
        place = rename_in_path(file.path, ref, ref)
        if place != file.path or place in seen or find_place(folder, ref, _root_of(file), place) is None:
            raise ArchiveRefusedError(
                f"This archive is not imported. {file.path!r} is no place for a file of {ref.discussion_id!r}.",
                entry=file.name,
            )
        seen.add(place)


def _root_of(file: ArchivedFile) -> str:
    """Old places of other machines become the places of today."""
    if file.root in {"discussions", "old-discussions"}:
        return "discussions"
    if file.root == "public" or file.root.startswith("old-databases-"):
        return "public"
    raise ArchiveRefusedError(f"This archive is not imported. {file.root!r} is no place that files come from.")
