"""The files of a discussion, and one of them raw."""

from __future__ import annotations

import stat
from dataclasses import dataclass
from datetime import datetime

from memory.contexts.addresses import discussion_api_address, page_address
from memory.contexts.discussions import DiscussionStrip
from memory.contexts.labels import ARTEFACTS, GENERATIONS, Label
from memory.contexts.times import from_nanoseconds
from memory.results import DiscussionHeader, RawFile
from memory.types import Artefact, DiscussionRef, FileReport, FileState

WINDOW_LINES = 400
"""How many lines of a raw file one page shows."""

MAX_LINE_CHARACTERS = 4_000
"""Longer lines are cut, around the damage when it lies in them."""


@dataclass(frozen=True, slots=True)
class FileRow:
    """One file as it is on disk."""

    name: str
    file_name: str
    path: str
    state_value: str
    layout: Label
    is_there: bool
    is_encrypted: bool
    size_bytes: int | None
    mode: str
    modified: datetime | None
    etag: str | None
    problem: str | None
    place: str
    """Where the damage is, in words; empty when it is not known."""
    url: str

    @classmethod
    def build(cls, ref: DiscussionRef, report: FileReport) -> FileRow:
        """Words for one file."""
        return cls(
            name=ARTEFACTS[report.artefact],
            file_name=report.path.name,
            path=str(report.path),
            state_value=report.state.value,
            layout=GENERATIONS[report.generation],
            is_there=report.state is not FileState.ABSENT,
            is_encrypted=report.is_encrypted,
            size_bytes=report.stat.size_bytes if report.stat else None,
            mode=stat.filemode(stat.S_IFREG | stat.S_IMODE(report.stat.mode))[1:] if report.stat else "",
            modified=from_nanoseconds(report.stat.modified_ns if report.stat else None),
            etag=report.etag,
            problem=report.problem,
            place=_place(report),
            url=page_address("file-detail", ref, report.artefact),
        )


@dataclass(frozen=True, slots=True)
class FileListContext:
    """Every file a discussion has or could have."""

    discussion: DiscussionStrip
    rows: tuple[FileRow, ...]
    api_url: str

    @classmethod
    def build(cls, header: DiscussionHeader, reports: tuple[FileReport, ...]) -> FileListContext:
        """The page of the files."""
        ref = header.card.ref
        return cls(
            discussion=DiscussionStrip.build(header, "file-list"),
            rows=tuple(FileRow.build(ref, report) for report in reports),
            api_url=discussion_api_address(ref, "files"),
        )


@dataclass(frozen=True, slots=True)
class RawLine:
    """One line of a file."""

    number: int
    text: str
    is_damaged: bool


@dataclass(frozen=True, slots=True)
class FileDetailContext:
    """One file as it is, a window of lines around the damage or around the line the URL names."""

    discussion: DiscussionStrip
    row: FileRow
    lines: tuple[RawLine, ...]
    line_count: int
    is_cut: bool
    earlier_url: str | None
    later_url: str | None
    is_binary: bool
    memories_url: str
    list_url: str
    api_url: str

    @classmethod
    def build(cls, header: DiscussionHeader, raw: RawFile, line: int | None) -> FileDetailContext:
        """The page of one file; without a `line` the window is around the damage, or at the start."""
        ref, report = header.card.ref, raw.report
        is_binary = report.artefact is Artefact.VECTOR_MEMORY
        texts = [] if is_binary else raw.text.splitlines()
        start = _window_start(line or report.problem_line or 1, len(texts))
        end = min(start + WINDOW_LINES, len(texts))
        return cls(
            discussion=DiscussionStrip.build(header, "file-list"),
            row=FileRow.build(ref, report),
            lines=tuple(_raw_line(report, index + 1, texts[index]) for index in range(start, end)),
            line_count=len(texts),
            is_cut=raw.is_cut,
            earlier_url=_line_address(ref, report, max(1, start - WINDOW_LINES // 2)) if start else None,
            later_url=_line_address(ref, report, end + WINDOW_LINES // 2 + 1) if end < len(texts) else None,
            is_binary=is_binary,
            memories_url=page_address("vector-memory-list", ref),
            list_url=page_address("file-list", ref),
            api_url=discussion_api_address(ref, "files", report.artefact),
        )


def _window_start(line: int, count: int) -> int:
    """Index of the first line shown, so that `line` stands in the middle where that is possible."""
    return max(0, min(line - WINDOW_LINES // 2 - 1, count - WINDOW_LINES))


def _raw_line(report: FileReport, number: int, text: str) -> RawLine:
    is_damaged = report.problem_line == number
    if len(text) <= MAX_LINE_CHARACTERS:
        return RawLine(number, text, is_damaged)
    middle = (report.problem_column or 0) if is_damaged else 0
    start = max(0, middle - MAX_LINE_CHARACTERS // 2)
    shown = text[start : start + MAX_LINE_CHARACTERS]
    before = "… " if start else ""
    after = " …" if start + MAX_LINE_CHARACTERS < len(text) else ""
    return RawLine(number, f"{before}{shown}{after}", is_damaged)


def _line_address(ref: DiscussionRef, report: FileReport, line: int) -> str:
    return page_address("file-detail", ref, report.artefact, parameters=[("line", line)])


def _place(report: FileReport) -> str:
    if report.problem_line is None:
        return ""
    column = f", column {report.problem_column}" if report.problem_column is not None else ""
    return f"line {report.problem_line}{column}"
