"""The rolling summary and the state document changed by hand."""

from __future__ import annotations

from dataclasses import dataclass, replace

from memory.engine.blast_radius import BlastRadius, Consequence, Weight
from memory.engine.ledger_changes import Layers, get_entry
from memory.engine.state_document_guard import GUARD_MIN_LENGTH
from memory.engine.versions import summary_version
from memory.engine.wording import format_count
from memory.journal.authorship import writing_as
from memory.queries.consequences import get_settings_in_force
from memory.services.audit import note
from memory.services.editing import (
    Clash,
    Edited,
    Editor,
    Outcome,
    PlannedChange,
    change_layers,
    check_mode,
    check_text,
    explaining_disk_errors,
    keep_line_ends,
)
from memory.stores.contents import check_usable
from memory.stores.discussion_files import DiscussionFiles
from memory.types import Artefact, Entry, FileState, TextFile
from memory.wiring import open_discussion
from wilmer_site.lib.errors import InvalidError, NotFoundError

THE_SUMMARY = "the rolling summary"
THE_DOCUMENT = "the state document"


@dataclass(frozen=True, slots=True)
class SummaryEdit:
    """What the rolling summary shall be."""

    text: str
    covers: int | None = None
    """The chunk it shall be linked to; 0 for none, so that every chunk is fed in; None keeps the link, or takes the
    newest chunk for a new summary."""


def edit_summary(editor: Editor, edit: SummaryEdit, *, version: str | None = None) -> Outcome:
    """Set the summary's text and the chunk it is linked to. `version` is `summary_version` of what was seen."""
    check_text(edit.text, "The rolling summary")

    def plan(layers: Layers) -> PlannedChange | Clash:
        if version not in (None, summary_version(layers.summary)) and not _says(layers, edit):
            return _summary_clash(layers, edit.text)
        after = _edit_entries(layers, edit)
        action = "Edited the rolling summary" if layers.summary else "Wrote a rolling summary"
        return PlannedChange(action, replace(layers, summary=after), "summary-edited", version=summary_version(after))

    return change_layers(editor, plan)


def delete_summary(editor: Editor, *, version: str | None = None) -> Outcome:
    """Delete the summary; the next summary run starts from nothing."""

    def plan(layers: Layers) -> PlannedChange | Clash:
        if not layers.summary:
            raise NotFoundError("There is no rolling summary to delete.")
        if version not in (None, summary_version(layers.summary)):
            return _summary_clash(layers, "")
        after = replace(layers, summary=())
        return PlannedChange("Deleted the rolling summary", after, "summary-deleted", touches_texts=False)

    return change_layers(editor, plan)


def edit_state_document(editor: Editor, text: str, *, version: str | None = None) -> Outcome:
    """Replace the state document; the text before goes into the backup. `version` is its ETag, empty for no file."""
    return _replace_document(editor, text, "Edited the state document", version)


def restore_state_document(editor: Editor, *, version: str | None = None) -> Outcome:
    """Put the backup in place of the state document, which becomes the backup."""
    backup = open_discussion(editor.ref, editor.keys).read_state_document_backup()
    check_usable(backup.report)
    if not backup.text.strip():
        raise NotFoundError("There is no backup of the state document to go back to.")
    return _replace_document(editor, backup.text, "Put back the backup of the state document", version)


def _says(layers: Layers, edit: SummaryEdit) -> bool:
    """Whether it is what it shall be already: a form that was sent twice asks nothing."""
    return bool(layers.summary) and edit.covers is None and _edit_entries(layers, edit) == layers.summary


def _edit_entries(layers: Layers, edit: SummaryEdit) -> tuple[Entry, ...]:
    """Readers take the first text and the last hash (memory.md §4)."""
    old = layers.summary
    text = keep_line_ends(old[0].text if old else "", edit.text)
    linked = _link(layers, edit.covers)
    if len(old) < 2:
        return (Entry(text, linked),)
    return (replace(old[0], text=text), *old[1:-1], replace(old[-1], hash=linked))


def _link(layers: Layers, covers: int | None) -> str:
    if covers is None and layers.summary:
        return layers.summary[-1].hash
    if covers == 0:
        return ""
    if not layers.ledger:
        raise InvalidError("A summary is linked to a chunk, and there is none yet.", field="covers")
    number = len(layers.ledger) if covers is None else covers
    linked = get_entry(layers.ledger, number).hash
    if not linked:
        raise InvalidError(f"Chunk {number} has no hash, so no summary can be linked to it.", field="covers")
    return linked


def _summary_clash(layers: Layers, yours: str) -> Clash:
    theirs = layers.summary[0].text if layers.summary else None
    return Clash(THE_SUMMARY, theirs, yours, summary_version(layers.summary), can_recreate=True)


def _replace_document(editor: Editor, text: str, action: str, version: str | None) -> Outcome:
    files = open_discussion(editor.ref, editor.keys)
    if editor.is_dry_run:
        return _judge(files.read_state_document(), text, action)
    with files.lock():
        now = files.read_state_document()
        check_usable(now.report)
        found = now.report.etag or ""
        wanted = keep_line_ends(now.text, text)
        if version not in (None, found) and wanted != now.text:
            theirs = None if now.report.state is FileState.ABSENT else now.text
            return Clash(THE_DOCUMENT, theirs, text, found, can_recreate=True)
        edited = _judge(now, text, action)
        return edited if wanted == now.text else _write_document(editor, files, wanted, edited)


def _write_document(editor: Editor, files: DiscussionFiles, text: str, edited: Edited) -> Edited:
    check_mode(files.report(Artefact.STATE_DOCUMENT))
    check_mode(files.report(Artefact.STATE_DOCUMENT_BACKUP))
    with writing_as(editor.actor, edited.action) as signed, explaining_disk_errors("state_document.md"):
        etag = files.write_state_document(text)
    note(editor.actor, "state-document-edited", editor.ref.text, characters=len(text))
    return replace(edited, batch=signed.batch, version=etag)


def _judge(now: TextFile, text: str, action: str) -> Edited:
    """What follows from another state document: the guard of the next update goes by its length (memory.md §17)."""
    check_usable(now.report)
    found = [Consequence("text-only", "Text only: nothing is processed again.", Weight.NOTHING)]
    ratio = get_settings_in_force().retention_ratio
    if isinstance(ratio, int | float) and ratio and len(text) > GUARD_MIN_LENGTH:
        least = int(ratio * len(text))
        guard = f"The next update by WilmerAI is refused if it is shorter than {format_count(least, 'character')}."
        found.append(Consequence("guard", guard, Weight.NOTHING, {"characters_needed": least}))
    elif now.text and len(now.text) > GUARD_MIN_LENGTH >= len(text):
        unguarded = f"With at most {GUARD_MIN_LENGTH} characters the guard against shrinking no longer applies."
        found.append(Consequence("guard-off", unguarded, Weight.NOTE))
    if now.report.state not in {FileState.ABSENT, FileState.EMPTY}:
        found.append(Consequence("backup", "The text before goes into the backup.", Weight.NOTHING))
    return Edited(action, BlastRadius(tuple(found)), version=now.report.etag or "")
