"""The rolling summary and the state document changed by hand."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from memory.contexts.edit_frames import document_frame, summary_frame
from memory.forms_editing import DocumentForm, RemovalForm, SummaryForm
from memory.queries import state_documents, summaries
from memory.services import texts_editing
from memory.services.editing import Editor, Outcome
from memory.services.texts_editing import SummaryEdit
from memory.types import DiscussionRef
from memory.views.editing import METHODS, Change, answer, sent
from wilmer_site.keyring import keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest, go


@require_http_methods(METHODS)
def summary_edit(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """Text of the summary, and the chunk it is linked to."""
    summary = summaries.get_summary(ref, keys_of(request))
    covers = summary.covered_chunks if summary.text else summary.total_chunks
    initial = {"text": summary.text, "covers": covers, "version": summary.version}
    form = SummaryForm.begin(sent(request), initial, chunks=summary.total_chunks)

    def perform(editor: Editor, values: dict[str, Any]) -> Outcome:
        kept = None if values["covers"] == covers and summary.text else values["covers"]
        if editor.is_dry_run and not values["text"].strip():
            values = {**values, "text": "…"}
        return texts_editing.edit_summary(editor, SummaryEdit(values["text"], kept), version=values["version"])

    return answer(request, ref, Change(summary_frame(ref, "edit"), form, perform))


@require_http_methods(METHODS)
def summary_removal(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """The summary goes."""
    summary = summaries.get_summary(ref, keys_of(request))
    if sent(request) is None and not summary.text:
        return go(request, "memory:summary-detail", ref)
    form = RemovalForm.begin(sent(request), {"version": summary.version})

    def perform(editor: Editor, values: dict[str, Any]) -> Outcome:
        return texts_editing.delete_summary(editor, version=values["version"])

    return answer(request, ref, Change(summary_frame(ref, "removal", summary.text), form, perform))


@require_http_methods(METHODS)
def state_document_edit(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """Another text; the one before becomes the backup."""
    document = state_documents.get_state_document(ref, keys_of(request))
    form = DocumentForm.begin(sent(request), {"text": document.text, "version": document.report.etag or ""})

    def perform(editor: Editor, values: dict[str, Any]) -> Outcome:
        return texts_editing.edit_state_document(editor, values["text"], version=values["version"])

    return answer(request, ref, Change(document_frame(ref, "edit"), form, perform))


@require_http_methods(METHODS)
def state_document_restore(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """The backup comes back."""
    document = state_documents.get_state_document(ref, keys_of(request))
    if not document.backup_text.strip():
        return go(request, "memory:state-document-detail", ref)
    form = RemovalForm.begin(sent(request), {"version": document.report.etag or ""})

    def perform(editor: Editor, values: dict[str, Any]) -> Outcome:
        return texts_editing.restore_state_document(editor, version=values["version"])

    return answer(request, ref, Change(document_frame(ref, "restore", document.backup_text), form, perform))
