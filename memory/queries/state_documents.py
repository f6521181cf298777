"""The state document and its backup."""

from __future__ import annotations

from memory.engine.tokens import estimate_tokens
from memory.results import ApiKeys, StateDocument
from memory.stores.readings import recall_text
from memory.types import Artefact, DiscussionRef
from memory.wiring import open_discussion


def get_state_document(ref: DiscussionRef, keys: ApiKeys) -> StateDocument:
    """The document as written, not rendered; the reports say if it is absent, locked or unreadable.

    Raises DiscussionNotFoundError.
    """
    discussion = open_discussion(ref, keys)
    document = recall_text(discussion, Artefact.STATE_DOCUMENT)
    backup = recall_text(discussion, Artefact.STATE_DOCUMENT_BACKUP)
    return StateDocument(
        report=document.report,
        text=document.text,
        token_estimate=estimate_tokens(document.text),
        backup_report=backup.report,
        backup_text=backup.text,
    )
