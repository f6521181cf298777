"""The state document, rendered and raw, and how it differs from its backup."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from memory.contexts.addresses import discussion_api_address, page_address
from memory.contexts.discussions import DiscussionStrip
from memory.contexts.regions import Region, build_region
from memory.results import DiscussionHeader, StateDocument
from memory.types import FileState

MAX_DIFF_LINES = 20_000
"""Above this a comparison would take longer than anybody waits."""


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a unified diff."""

    kind: str
    """added, removed, same or place."""
    text: str


@dataclass(frozen=True, slots=True)
class StateDocumentDetailContext:
    """The document as text; the template renders it."""

    discussion: DiscussionStrip
    text: str
    token_estimate: int
    size_bytes: int | None
    region: Region | None
    has_backup: bool
    backup_note: str
    diff: tuple[DiffLine, ...]
    added: int
    removed: int
    file_url: str
    backup_url: str
    api_url: str

    @property
    def can_begin(self) -> bool:
        """Whether a document can be written by hand: there is none, or an empty one."""
        return self.region is not None and not self.region.is_error and self.region.kind != "locked"

    @classmethod
    def build(cls, header: DiscussionHeader, document: StateDocument) -> StateDocumentDetailContext:
        """The page of the state document."""
        ref = header.card.ref
        has_backup = document.backup_report.state is FileState.PRESENT
        diff = build_diff(document.backup_text, document.text) if has_backup and document.text else ()
        return cls(
            discussion=DiscussionStrip.build(header, "state-document-detail"),
            text=document.text,
            token_estimate=document.token_estimate,
            size_bytes=document.report.stat.size_bytes if document.report.stat else None,
            region=build_region(ref, document.report) if not document.text.strip() else None,
            has_backup=has_backup,
            backup_note=_backup_note(document),
            diff=diff,
            added=sum(line.kind == "added" for line in diff),
            removed=sum(line.kind == "removed" for line in diff),
            file_url=page_address("file-detail", ref, document.report.artefact),
            backup_url=page_address("file-detail", ref, document.backup_report.artefact),
            api_url=discussion_api_address(ref, "state-document"),
        )


def build_diff(before: str, after: str) -> tuple[DiffLine, ...]:
    """A unified diff of two texts with three lines of context; empty when they are equal or too long to compare."""
    old, new = before.splitlines(), after.splitlines()
    if len(old) + len(new) > MAX_DIFF_LINES:
        return ()
    lines = list(difflib.unified_diff(old, new, lineterm=""))
    # The first two lines name files that have no names here.
    return tuple(_diff_line(line) for line in lines[2:])


_KINDS = {"+": "added", "-": "removed", "@": "place"}


def _diff_line(line: str) -> DiffLine:
    kind = _KINDS.get(line[:1], "same")
    return DiffLine(kind, line if kind == "place" else line[1:])


def _backup_note(document: StateDocument) -> str:
    if document.backup_report.state is not FileState.PRESENT:
        return f"The backup is {document.backup_report.state}."
    if document.backup_text == document.text:
        return "The backup holds the same text."
    lines = document.backup_text.count("\n") + document.text.count("\n")
    return "" if lines <= MAX_DIFF_LINES else "The texts are too long to compare here."
