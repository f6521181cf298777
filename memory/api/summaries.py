"""The rolling summary and the state document."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router

from memory.api.editing import editor_of, match_version, written
from memory.api.guards import require_readable
from memory.api.registration import Reading, reads
from memory.api.requests import RefText, find_keys, parse_ref
from memory.api.validators import set_last_modified, versioned
from memory.api.writing import Writing, writes
from memory.queries import chunks, state_documents, summaries
from memory.schemas.changes import SummaryBody, TextBody, WrittenSchema
from memory.schemas.memories import StateDocumentSchema, SummarySchema
from memory.services import texts_editing
from memory.services.texts_editing import SummaryEdit
from memory.types import FileReport

router = Router()
router.add_decorator(versioned)


@reads(router, "/discussions/{ref}/summary", Reading("summary", "Summary", "Get the rolling summary", SummarySchema))
def get_summary(request: HttpRequest, response: HttpResponse, ref: RefText) -> Any:
    """The rolling summary and how many chunks it covers. Without a summary the text is empty and the link says so."""
    discussion, keys = parse_ref(ref), find_keys(request)
    summary = summaries.get_summary(discussion, keys)
    require_readable(summary.report)
    set_last_modified(response, summary.report)
    return SummarySchema.build(summary, chunks.get_ledger(discussion, keys).report.state)


@reads(
    router,
    "/discussions/{ref}/state-document",
    Reading("state-document", "State document", "Get the state document", StateDocumentSchema),
)
def get_state_document(request: HttpRequest, response: HttpResponse, ref: RefText) -> Any:
    """The state document and the version before the last, as Markdown. An absent one is empty and its file says so."""
    document = state_documents.get_state_document(parse_ref(ref), find_keys(request))
    require_readable(document.report)
    set_last_modified(response, document.report)
    return document


@writes(
    router,
    "PUT",
    "/discussions/{ref}/summary",
    Writing("summary-edit", "Summary", "Set the rolling summary", WrittenSchema),
)
def edit_summary(request: HttpRequest, ref: RefText, body: SummaryBody) -> Any:
    """Text and link. Without a summary it is begun, linked to the newest chunk unless `covers` says otherwise."""
    discussion = parse_ref(ref)
    summary = summaries.get_summary(discussion, find_keys(request))
    require_readable(summary.report)
    version = match_version(request, summary.version, _etag(summary.report), theirs=summary.text, yours=body.text)
    edit = SummaryEdit(body.text, body.covers)
    return written(texts_editing.edit_summary(editor_of(request, discussion), edit, version=version))


@writes(
    router,
    "DELETE",
    "/discussions/{ref}/summary",
    Writing("summary-delete", "Summary", "Delete the rolling summary", WrittenSchema),
)
def delete_summary(request: HttpRequest, ref: RefText) -> Any:
    """The file goes; the next summary run starts from nothing and is fed every chunk."""
    discussion = parse_ref(ref)
    summary = summaries.get_summary(discussion, find_keys(request))
    require_readable(summary.report)
    version = match_version(request, summary.version, _etag(summary.report), theirs=summary.text)
    return written(texts_editing.delete_summary(editor_of(request, discussion), version=version))


@writes(
    router,
    "PUT",
    "/discussions/{ref}/state-document",
    Writing("state-document-edit", "State document", "Set the state document", WrittenSchema),
)
def edit_state_document(request: HttpRequest, ref: RefText, body: TextBody) -> Any:
    """The text before goes into the backup."""
    discussion = parse_ref(ref)
    document = state_documents.get_state_document(discussion, find_keys(request))
    require_readable(document.report)
    version = match_version(request, _etag(document.report), theirs=document.text, yours=body.text)
    return written(texts_editing.edit_state_document(editor_of(request, discussion), body.text, version=version))


@writes(
    router,
    "POST",
    "/discussions/{ref}/state-document/restore",
    Writing("state-document-restore", "State document", "Go back to the backup", WrittenSchema),
)
def restore_state_document(request: HttpRequest, ref: RefText) -> Any:
    """The backup and the state document change places."""
    discussion = parse_ref(ref)
    document = state_documents.get_state_document(discussion, find_keys(request))
    require_readable(document.report)
    version = match_version(request, _etag(document.report), theirs=document.text)
    return written(texts_editing.restore_state_document(editor_of(request, discussion), version=version))


def _etag(report: FileReport) -> str:
    return report.etag or ""
