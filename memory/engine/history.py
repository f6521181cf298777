"""What is told of revisions: values, and the rules for which of them may go first."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import datetime

from memory.engine.blast_radius import BlastRadius
from memory.engine.differences import Change, EntriesDiff, FieldChange, TextDiff
from memory.types import Artefact, DiscussionRef, FileState


@dataclass(frozen=True, slots=True)
class HistoryFilter:
    """Which revisions to list. All of it travels in the URL."""

    artefact: Artefact | None = None
    actor: str = ""


@dataclass(frozen=True, slots=True)
class RevisionCard:
    """One write, without its contents."""

    id: int
    artefact: Artefact
    at: datetime
    actor: str
    origin: str
    """edit, generation, restore, repair, import, outside."""
    action: str
    batch: uuid.UUID
    batch_size: int
    """How many writes the action made in all."""
    before_bytes: int | None
    """None: there was nothing before."""
    after_bytes: int | None
    is_kept: bool
    """False when a content of it was dropped to save space."""
    undone_by: uuid.UUID | None = None

    @property
    def is_first_sight(self) -> bool:
        """A file as it was when the console first looked: nothing to take back."""
        return self.origin == "outside" and self.action == FIRST_SIGHT

    @property
    def may_undo(self) -> bool:
        """Whether taking it back is offered at once; writes of other programs are only compared and put back."""
        return self.is_kept and self.origin != "outside" and self.undone_by is None


FIRST_SIGHT = "Seen for the first time"


@dataclass(frozen=True, slots=True)
class VersionFacts:
    """One side of a comparison."""

    label: str
    """`before`, `after`, `now`."""
    state: FileState
    size_bytes: int | None
    etag: str
    """Empty for no file."""
    problem: str = ""
    is_dropped: bool = False

    @property
    def is_readable(self) -> bool:
        """Whether its content can be compared."""
        return not self.is_dropped and self.state in {
            FileState.PRESENT,
            FileState.EMPTY,
            FileState.ABSENT,
            FileState.DAMAGED,
        }


@dataclass(frozen=True, slots=True)
class MemoryDiff:
    """What became of one vector memory, field by field."""

    id: int
    kind: Change
    title: str
    fields: tuple[FieldChange, ...]
    embeddings: tuple[FieldChange, ...] = ()
    """Embedding model → dimensions, where they differ."""


@dataclass(frozen=True, slots=True)
class LogDiff:
    """One row of the hash log that is there on one side only."""

    kind: Change
    message_hash: str
    timestamp: str
    row_id: int | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two versions of a file, or of rows, side by side."""

    artefact: Artefact
    old: VersionFacts
    new: VersionFacts
    text: TextDiff | None = None
    entries: EntriesDiff | None = None
    """Instead of the text, for a ledger and its like."""
    memories: tuple[MemoryDiff, ...] | None = None
    log: tuple[LogDiff, ...] = ()

    @property
    def is_same(self) -> bool:
        """Whether nothing differs at all."""
        return self.old.etag == self.new.etag and not self.memories and not self.log


@dataclass(frozen=True, slots=True)
class BlameLine:
    """One line or entry of a file as it is now, and the write it came from."""

    number: int
    text: str
    revision: RevisionCard | None
    """None: it was there before the history began."""


@dataclass(frozen=True, slots=True)
class Blame:
    """Where every line or entry of a file came from."""

    artefact: Artefact
    state: FileState
    lines: tuple[BlameLine, ...]
    versions: int
    """How many versions were compared."""
    problem: str = ""
    is_entries: bool = False


@dataclass(frozen=True, slots=True)
class HistorySize:
    """How much room the journal takes, of all discussions together."""

    stored_bytes: int
    limit_bytes: int
    dropped_contents: int
    dropped_bytes: int
    """Before compression."""


@dataclass(frozen=True, slots=True)
class BatchStep:
    """One file of a batch: what it would go back to, and whether somebody wrote since."""

    artefact: Artefact
    is_conflict: bool
    is_interleaved: bool
    back: Comparison | None
    """What is there now, against what it would be."""
    since: Comparison | None
    """What the batch left, against what is there now; only on a conflict."""


@dataclass(frozen=True, slots=True)
class BatchReport:
    """A whole action: what it wrote and what taking it back would do."""

    ref: DiscussionRef
    batch: uuid.UUID
    action: str
    actor: str
    at: datetime
    origin: str
    revisions: tuple[RevisionCard, ...]
    steps: tuple[BatchStep, ...]
    is_conflict: bool
    undone_by: uuid.UUID | None = None
    problem: str = ""
    """Why it cannot be taken back at all."""
    radius: BlastRadius = field(default_factory=BlastRadius)
    """What taking it back will cause."""


@dataclass(frozen=True, slots=True)
class RestorePreview:
    """What putting an old version in place would change and cause."""

    card: RevisionCard
    side: str
    comparison: Comparison
    """What is there now, against the version."""
    radius: BlastRadius
