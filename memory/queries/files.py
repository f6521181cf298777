"""The files of one discussion as they are on disk."""

from __future__ import annotations

from memory.results import ApiKeys, RawFile
from memory.stores.readings import recall_report
from memory.types import Artefact, DiscussionRef, FileReport
from memory.wiring import open_discussion

RAW_LIMIT_BYTES = 512 * 1024
"""How much of a file is shown raw."""


def list_files(ref: DiscussionRef, keys: ApiKeys) -> tuple[FileReport, ...]:
    """Every artefact, absent ones included. Raises DiscussionNotFoundError."""
    discussion = open_discussion(ref, keys)
    return tuple(recall_report(discussion, artefact) for artefact in Artefact)


def get_raw_file(ref: DiscussionRef, artefact: Artefact, keys: ApiKeys) -> RawFile:
    """The bytes on disk as text, an encrypted file as its token, bytes that are no UTF-8 as replacement characters.

    Empty for a database, for what is absent and for what cannot be read. Raises DiscussionNotFoundError.
    """
    discussion = open_discussion(ref, keys)
    report = recall_report(discussion, artefact)
    data = b"" if artefact is Artefact.VECTOR_MEMORY else discussion.raw_bytes(artefact)
    size = report.stat.size_bytes if report.stat else len(data)
    shown = data[:RAW_LIMIT_BYTES]
    return RawFile(
        report=report,
        text=shown.decode("utf-8", "replace"),
        is_cut=size > len(shown),
        details={"size_bytes": size, "shown_bytes": len(shown)},
    )
