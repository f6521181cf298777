"""Every hash that says how far memory has got, with what it names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from memory.contexts.addresses import discussion_api_address, page_address
from memory.contexts.discussions import DiscussionStrip
from memory.contexts.labels import ARTEFACTS, FILE_STATES, Label
from memory.contexts.regions import Region, build_region
from memory.contexts.times import parse_stored_time
from memory.results import DiscussionHeader, HashMeaning, Trackers
from memory.types import DiscussionRef, FileReport, FileState, ProgressHash


@dataclass(frozen=True, slots=True)
class HashRow:
    """A stored hash and what is known of the message it stands for."""

    hash: str
    chunks: tuple[tuple[int, str], ...]
    """Numbers and URLs of the chunks that end with the same message."""
    message_time: str | None
    source: str = ""
    written: str = ""
    moment: datetime | None = None
    keep: int = 0
    """How many rows of the log there are up to this one, the oldest first."""


@dataclass(frozen=True, slots=True)
class FilePart:
    """A file that is shown as a whole below the hashes."""

    name: str
    state: Label
    text: str
    region: Region | None
    url: str


@dataclass(frozen=True, slots=True)
class TrackerListContext:
    """How far memory has got, by every file that says so."""

    discussion: DiscussionStrip
    condensation: HashRow | None
    condensation_note: str
    progress: tuple[HashRow, ...]
    progress_total: int
    timestamp_count: int
    has_pending_timestamp: bool
    timestamps: FilePart
    compactor: tuple[FilePart, ...]
    vision_count: int
    vision: FilePart
    api_url: str

    @classmethod
    def build(cls, header: DiscussionHeader, trackers: Trackers) -> TrackerListContext:
        """The page of the trackers."""
        ref = header.card.ref
        found = trackers.condensation
        return cls(
            discussion=DiscussionStrip.build(header, "tracker-list"),
            condensation=_hash_row(ref, found) if found else None,
            condensation_note=_note(build_region(ref, trackers.condensation_report)),
            progress=tuple(
                replace(_progress_row(ref, row, meaning), keep=trackers.progress_total - place)
                for place, (row, meaning) in enumerate(trackers.progress)
            ),
            progress_total=trackers.progress_total,
            timestamp_count=trackers.timestamp_count,
            has_pending_timestamp=trackers.has_pending_timestamp,
            timestamps=_file_part(ref, trackers.timestamps_report),
            compactor=tuple(_file_part(ref, report, text) for report, text in trackers.compactor),
            vision_count=trackers.vision_count,
            vision=_file_part(ref, trackers.vision_report),
            api_url=discussion_api_address(ref, "trackers"),
        )

    @property
    def newest(self) -> HashRow | None:
        """How far vector memory has got."""
        return self.progress[0] if self.progress else None

    @property
    def has_more(self) -> bool:
        """Whether the database logs more hashes than are listed."""
        return self.progress_total > len(self.progress)


def _note(region: Region | None) -> str:
    if region is None:
        return "The tracker names no chunk."
    return region.text if region.is_error or region.kind == "locked" else "Nothing has been condensed yet."


def _hash_row(ref: DiscussionRef, meaning: HashMeaning) -> HashRow:
    chunks = tuple((number, page_address("chunk-detail", ref, number)) for number in meaning.chunk_numbers)
    return HashRow(meaning.hash, chunks, meaning.timestamp)


def _progress_row(ref: DiscussionRef, row: ProgressHash, meaning: HashMeaning) -> HashRow:
    named = _hash_row(ref, meaning)
    source = "first-generation tracker" if row.row_id is None else f"log row {row.row_id}"
    return HashRow(
        row.message_hash, named.chunks, named.message_time, source, row.timestamp, parse_stored_time(row.timestamp)
    )


def _file_part(ref: DiscussionRef, report: FileReport, text: str = "") -> FilePart:
    is_shown = report.state is FileState.PRESENT
    return FilePart(
        name=ARTEFACTS[report.artefact],
        state=FILE_STATES[report.state],
        text=text,
        region=None if is_shown else build_region(ref, report),
        url=page_address("file-detail", ref, report.artefact),
    )
