"""Changes by people: read under the lock, compared with what they saw, written in every layer or in none."""

from __future__ import annotations

import contextlib
import errno
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import DatabaseError

from memory.engine.blast_radius import BlastRadius, Change, Outlook, measure, needs_messages
from memory.engine.ledger_changes import Layers
from memory.journal.authorship import writing_as
from memory.queries.consequences import build_outlook, get_settings_in_force
from memory.results import ApiKeys
from memory.services.audit import note
from memory.stores.contents import check_usable, read_whole
from memory.stores.discussion_files import CONDENSATION_KEY, DiscussionFiles
from memory.types import Artefact, DiscussionRef, FileReport, FileState
from memory.wiring import open_discussion
from wilmer_site.lib.errors import InvalidError, StorageError, WilmerError
from wilmer_site.lib.files import FileChangedError, ReadOnlyFileError

WRITABLE_BITS = 0o222
ATTEMPTS = 3
"""How often a change is worked out anew because another program wrote in between."""

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_REFUSED = {errno.EACCES, errno.EPERM, errno.EROFS}


@dataclass(frozen=True, slots=True)
class Editor:
    """Who changes which discussion."""

    ref: DiscussionRef
    actor: str
    keys: ApiKeys = field(default_factory=dict)
    is_dry_run: bool = False
    """Tell what would follow, and change nothing."""


@dataclass(frozen=True, slots=True)
class Edited:
    """A change that was made, or would be made in a dry run."""

    action: str
    """In the past tense: `Edited chunk 3`."""
    radius: BlastRadius
    batch: uuid.UUID | None = None
    """Takes the change back; None when nothing was written."""
    number: int | None = None
    """Where the thing stands now: a chunk's number, a memory's id."""
    version: str = ""
    """Of the thing as it is now, for If-Match; empty when it is gone."""

    @property
    def is_changed(self) -> bool:
        """Whether anything was written."""
        return self.batch is not None


@dataclass(frozen=True, slots=True)
class Clash:
    """Somebody else changed the same thing since it was read; nothing was written."""

    what: str
    """`chunk 3`."""
    theirs: str | None
    """The text that is stored now; None when the thing is gone."""
    yours: str
    """The text that was to be stored; empty when the change has none."""
    version: str
    """Of what is stored now: sent along, the change goes through."""
    number: int | None = None
    can_recreate: bool = False
    """Whether the text can be stored although the thing is gone."""


Outcome = Edited | Clash


@dataclass(frozen=True, slots=True)
class PlannedChange:
    """What a change makes of the layers."""

    action: str
    after: Layers
    audit: str
    """Kebab case, for the audit log."""
    number: int | None = None
    version: str = ""
    removed: tuple[int, ...] = ()
    touches_texts: bool = True
    details: Mapping[str, object] = field(default_factory=dict)


Plan = Callable[[Layers], PlannedChange | Clash]


def change_layers(editor: Editor, plan: Plan, *, needs_all: bool = True) -> Outcome:
    """Work a change out on the layers as they are and write what differs.

    `plan` is asked again when another program wrote in between. With `needs_all`, a summary or tracker that cannot
    be read forbids the change, since it could not be kept in step. Raises what reading and writing files raises.
    """
    files = open_discussion(editor.ref, editor.keys)
    before, planned, batch = _try(editor, files, plan, needs_all=needs_all)
    if isinstance(planned, Clash):
        return planned
    change = Change(before, planned.after, planned.removed, planned.touches_texts)
    radius = measure_change(editor.ref, change)
    return Edited(planned.action, radius, batch, planned.number, planned.version)


def read_layers(files: DiscussionFiles, *, needs_all: bool = True) -> Layers:
    """Ledger, summary and tracker as they are; raises what keeps one of them from being read."""
    ledger, summary, tracker = files.read_memories(), files.read_summary(), files.read_condensation_tracker()
    check_usable(ledger.report)
    if needs_all:
        check_usable(summary.report)
        check_usable(tracker.report)
    return Layers(
        ledger=ledger.entries,
        summary=summary.entries,
        tracker=str(tracker.values.get(CONDENSATION_KEY) or ""),
        has_ledger_file=ledger.report.state is not FileState.ABSENT,
    )


def measure_change(ref: DiscussionRef, change: Change) -> BlastRadius:
    """What follows, told in messages when the chat was imported."""
    outlook = build_outlook(ref) if needs_messages(change) else Outlook(get_settings_in_force())
    return measure(change, outlook)


@contextlib.contextmanager
def explaining_disk_errors(name: str) -> Iterator[None]:
    """Say in words what the operating system refused, for a block that leaves the file as it was.

    Raises StorageError for a full disk, ReadOnlyFileError for a refusal.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        if error.errno in _FULL:
            raise StorageError(
                f"{name} cannot be written: {reason}. Nothing was changed; make room on the disk and try again.",
                file=name,
            ) from error
        if error.errno in _REFUSED:
            raise ReadOnlyFileError(
                f"{name} cannot be written: {reason}. Nothing was changed; give the console the right to write into "
                "the folder.",
                file=name,
            ) from error
        raise StorageError(f"{name} cannot be written: {reason}. Nothing was changed.", file=name) from error
    except DatabaseError as error:
        raise StorageError(
            f"The console's own database did not take the history of this change, so nothing was changed: {error}."
        ) from error


def check_mode(report: FileReport) -> None:
    """Raises ReadOnlyFileError for a file that its owner made read-only: a rename would go over that."""
    if report.stat is not None and not report.stat.mode & WRITABLE_BITS:
        raise ReadOnlyFileError(
            f"{report.path.name} is marked read-only (mode {report.stat.mode:04o}). Nothing was changed; make it "
            "writable and try again.",
            file=report.path.name,
        )


def check_text(text: str, what: str) -> str:
    """The same text when it can be stored; raises InvalidError for a blank one or half of a surrogate pair."""
    if not text.strip():
        raise InvalidError(f"{what} needs a text. Delete it instead if nothing shall be left.", field="text")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidError(
            f"The text has half of a surrogate pair at character {error.start}; remove it and save again.", field="text"
        ) from None
    return text


def keep_line_ends(old: str, new: str) -> str:
    """The new text with the line ends of the old one: browsers send CR LF for every line."""
    plain = new.replace("\r\n", "\n")
    has_only_crlf = "\r\n" in old and "\n" not in old.replace("\r\n", "")
    return plain.replace("\n", "\r\n") if has_only_crlf else plain


def _try(
    editor: Editor, files: DiscussionFiles, plan: Plan, *, needs_all: bool
) -> tuple[Layers, PlannedChange | Clash, uuid.UUID | None]:
    if editor.is_dry_run:
        before = read_layers(files, needs_all=needs_all)
        return before, plan(before), None
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with files.lock():
                before = read_layers(files, needs_all=needs_all)
                planned = plan(before)
                return before, planned, _carry_out(editor, files, before, planned)
        except FileChangedError:
            if attempt == ATTEMPTS:
                raise
    raise AssertionError("unreachable")


def _carry_out(
    editor: Editor, files: DiscussionFiles, before: Layers, planned: PlannedChange | Clash
) -> uuid.UUID | None:
    if isinstance(planned, Clash) or planned.after == before:
        return None
    with writing_as(editor.actor, planned.action) as signed:
        write_layers(files, before, planned.after)
    note(editor.actor, planned.audit, editor.ref.text, **planned.details)
    return signed.batch


def write_layers(files: DiscussionFiles, before: Layers, after: Layers) -> None:
    """Write the files that differ, links first; a failure puts back those that were written already."""
    steps = list(_list_steps(files, before, after))
    for artefact, _ in steps:
        check_mode(files.report(artefact))
    written: list[tuple[Artefact, bytes | None]] = []
    try:
        for artefact, write in steps:
            old = read_whole(files.place(artefact))
            with explaining_disk_errors(files.place(artefact).path.name):
                write()
            written.append((artefact, old))
    except WilmerError:
        _put_back(files, written)
        raise


def _list_steps(
    files: DiscussionFiles, before: Layers, after: Layers
) -> Iterator[tuple[Artefact, Callable[[], object]]]:
    if after.summary != before.summary:
        write = lambda: files.write_summary(after.summary) if after.summary else _remove(files, Artefact.SUMMARY)  # noqa: E731
        yield Artefact.SUMMARY, write
    if (after.ledger, after.has_ledger_file) != (before.ledger, before.has_ledger_file):
        yield Artefact.MEMORIES, lambda: _write_ledger(files, before, after)
    if after.tracker != before.tracker:
        yield Artefact.CONDENSATION_TRACKER, lambda: _write_tracker(files, after)


def _write_ledger(files: DiscussionFiles, before: Layers, after: Layers) -> None:
    report = files.read_memories().report
    if not after.has_ledger_file:
        files.delete_file(Artefact.MEMORIES, expected_etag=report.etag)
    elif files.read_memories().entries != before.ledger:
        raise FileChangedError(f"{report.path.name} was changed by another program just now.")
    else:
        files.write_memories(after.ledger, expected_etag=report.etag or "")


def _write_tracker(files: DiscussionFiles, after: Layers) -> None:
    if after.tracker:
        files.write_condensation_tracker(after.tracker)
    else:
        _remove(files, Artefact.CONDENSATION_TRACKER)


def _remove(files: DiscussionFiles, artefact: Artefact) -> None:
    files.delete_file(artefact)


def _put_back(files: DiscussionFiles, written: Sequence[tuple[Artefact, bytes | None]]) -> None:
    """Undo the part that was done; where even that fails, the history has both versions."""
    for artefact, old in reversed(written):
        with contextlib.suppress(OSError, WilmerError):
            if old is None:
                files.delete_file(artefact)
            else:
                files.restore_bytes(artefact, old)
