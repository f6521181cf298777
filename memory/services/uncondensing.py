"""Putting back the chunks that condensation made one of, when the history still has them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from memory.engine.blast_radius import BlastRadius
from memory.engine.ledger_changes import Layers, LedgerChange, find_version, get_entry, keep_in_step
from memory.engine.originals import find_originals
from memory.engine.versions import chunk_version
from memory.engine.wording import format_count
from memory.journal.contents import ContentDroppedError, read_bytes
from memory.models import Revision, RevisionContent
from memory.queries.undo_plans import list_revisions
from memory.services.editing import Clash, Edited, Editor, Outcome, PlannedChange, change_layers
from memory.stores.discussion_files import DiscussionFiles
from memory.types import Artefact, DiscussionRef, Entry
from memory.wiring import open_discussion
from wilmer_site.lib.errors import ConflictError, NotFoundError


class OriginalsNotFoundError(NotFoundError):
    """The history does not tell what a chunk was condensed from."""

    code = "originals-not-found"


@dataclass(frozen=True, slots=True)
class Condensation:
    """A write of the history in which several chunks became one."""

    entries: tuple[Entry, ...]
    """Those that became one, oldest first."""
    revision_id: int
    at: datetime
    actor: str


@dataclass(frozen=True, slots=True)
class Originals:
    """What a condensed chunk was made from."""

    number: int
    condensed: Entry
    version: str
    """Of the chunk as it is now."""
    entries: tuple[Entry, ...]
    revision_id: int
    at: datetime
    actor: str


def get_originals(editor: Editor, number: int) -> Originals:
    """The chunks that became this one. Raises ChunkNotFoundError or OriginalsNotFoundError."""
    files = open_discussion(editor.ref, editor.keys)
    now = get_entry(files.read_memories().entries, number)
    found = search_originals(editor.ref, files, now.hash)
    if found:
        return Originals(number, now, chunk_version(now), found.entries, found.revision_id, found.at, found.actor)
    raise OriginalsNotFoundError(
        f"The history does not tell what chunk {number} was condensed from: it was not condensed, or that was before "
        "this console kept what is written.",
        number=number,
    )


def search_originals(
    ref: DiscussionRef, files: DiscussionFiles, message_hash: str, *, before: int | None = None
) -> Condensation | None:
    """The newest write of a discussion's history that made several chunks into the one with this hash.

    `before` is the number of a revision: only older ones count. `files` read what the history holds.
    """
    rows = list_revisions(ref).filter(artefact=Artefact.MEMORIES, state=Revision.State.DONE)
    rows = rows if before is None else rows.filter(pk__lt=before)
    for revision in rows.select_related("before", "after").order_by("-id").iterator(chunk_size=20):
        old, new = (_entries(files, content) for content in (revision.before, revision.after))
        found = find_originals(old, new, message_hash) if old and new else ()
        if found:
            return Condensation(found, revision.pk, revision.created_at, revision.actor)
    return None


def uncondense(editor: Editor, number: int, *, version: str | None = None) -> Outcome:
    """Put the originals back in the place of a condensed chunk; summary and tracker stay linked.

    The condensation tracker still passes over them, so they are not condensed again by themselves. `version` is
    `chunk_version` of what was seen. Raises as `get_originals`.
    """
    originals = get_originals(editor, number)

    def plan(layers: Layers) -> PlannedChange | Clash:
        at = find_version(layers.ledger, number, version or originals.version)
        if at is None:
            entry = layers.ledger[number - 1] if number <= len(layers.ledger) else None
            return Clash(
                f"chunk {number}", entry.text if entry else None, "", chunk_version(entry) if entry else "", number
            )
        after = keep_in_step(layers, _replace(layers, at, originals.entries))
        count = format_count(len(originals.entries), "chunk")
        details = {"number": at, "originals": len(originals.entries)}
        action = f"Put back {count} that chunk {at} was condensed from"
        return PlannedChange(action, after, "chunk-uncondensed", at, details=details)

    return change_layers(editor, plan)


def _replace(layers: Layers, at: int, entries: tuple[Entry, ...]) -> LedgerChange:
    items = [(entry, (number,)) for number, entry in enumerate(layers.ledger, 1)]
    items[at - 1 : at] = [(entry, (at,)) for entry in entries]
    return LedgerChange(tuple(entry for entry, _ in items), tuple(sources for _, sources in items))


def _entries(files: DiscussionFiles, content: RevisionContent | None) -> tuple[Entry, ...]:
    try:
        return files.read_past(Artefact.MEMORIES, read_bytes(content)).entries
    except ContentDroppedError:
        return ()


def require_uncondensed(editor: Editor, number: int, *, version: str | None = None) -> Edited:
    """As `uncondense`; raises ConflictError when the chunk was changed since it was seen."""
    outcome = uncondense(editor, number, version=version)
    if isinstance(outcome, Clash):
        raise ConflictError(
            f"Somebody changed {outcome.what} since you opened this page. Look at it again.", theirs=outcome.theirs
        )
    return outcome


def find_outlook(editor: Editor, number: int) -> tuple[Originals | None, BlastRadius, str]:
    """The originals and what putting them back would cause, or why they are not known."""
    try:
        originals = get_originals(editor, number)
    except OriginalsNotFoundError as error:
        return None, BlastRadius(), error.message
    outcome = uncondense(replace(editor, is_dry_run=True), number)
    return originals, outcome.radius if isinstance(outcome, Edited) else BlastRadius(), ""
