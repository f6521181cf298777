"""Edits that another program wrote over, and that somebody has seen and let go."""

from __future__ import annotations

from memory.queries.lost_edits import DISMISSED, list_lost_edits
from memory.services.audit import note
from memory.services.editing import Editor
from memory.services.permission import require_changes_allowed
from wilmer_site.lib.errors import NotFoundError


def dismiss_lost_edit(editor: Editor, revision_id: int, hash_text: str) -> None:
    """Tell of a lost edit no more; its text stays in the history.

    Raises NotFoundError for one that is not told of, RefusedError in read-only mode.
    """
    require_changes_allowed()
    told = {(edit.revision_id, edit.hash) for edit in list_lost_edits(editor.ref, editor.keys)}
    if (revision_id, hash_text) not in told:
        raise NotFoundError("There is no such edit that was written over; it may have been dismissed already.")
    note(editor.actor, DISMISSED, editor.ref.text, revision=revision_id, hash=hash_text)
