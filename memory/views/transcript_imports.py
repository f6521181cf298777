"""Bringing in a chat: dropped or pasted, looked at, imported."""

from __future__ import annotations

from dataclasses import replace

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from memory import jobs
from memory.contexts.pending_imports import build_pending_rows
from memory.contexts.transcript_imports import TranscriptImportContext, TranscriptReviewContext
from memory.forms_transcripts import UploadForm, parse_choices, parse_review
from memory.importers.reading import FORMATS
from memory.queries import discussions, transcripts
from memory.services import transcript_reviewing, transcripts_importing
from memory.services.pending_imports import list_pending
from memory.types import DiscussionRef
from wilmer_site.keyring import keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest, render_page

GONE = "That file is gone: it was imported, discarded, or brought in more than a day ago. Bring it in again."


@require_http_methods(["GET", "HEAD", "POST"])
def transcript_import(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """Show where to drop a file, or keep the one that was dropped and go to what was found in it."""
    header = discussions.get_header(ref, keys_of(request))
    form = UploadForm(request.POST, request.FILES) if request.method == "POST" else UploadForm()
    if form.is_valid():
        actor = request.user.get_username()
        upload = transcripts_importing.receive_upload(ref, form.name, form.list_parts(), actor=actor)
        jobs.begin_reading(upload)
        return HttpResponseRedirect(reverse("memory:transcript-review", args=[ref, upload.id]))
    context = TranscriptImportContext.build(
        header,
        form,
        transcripts.find_transcript(ref),
        [known.title for known in FORMATS],
        is_read_only=transcripts_importing.is_read_only(),
    )
    context = replace(context, pending=build_pending_rows(list_pending(ref)))
    return render_page(request, "memory/transcript_import.html", "", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def transcript_review(request: HtmxHttpRequest, ref: DiscussionRef, upload_id: str) -> HttpResponse:
    """Show what was found in a file and what importing it would change; import what is chosen, or forget the file."""
    upload = transcripts_importing.find_upload(ref, upload_id)
    if upload is None:
        messages.info(request, GONE)
        return HttpResponseRedirect(reverse("memory:transcript-import", args=[ref]))
    keys = keys_of(request)
    if request.method == "POST":
        return _act(request, ref, upload)
    asked = parse_review(request.GET)
    state = transcript_reviewing.open_review(ref, upload, asked.number, asked.discussion, keys)
    context = TranscriptReviewContext.build(discussions.get_header(ref, keys), state)
    return render_page(request, "memory/transcript_review.html", "import-state", context)


def _act(request: HtmxHttpRequest, ref: DiscussionRef, upload: transcripts_importing.Upload) -> HttpResponse:
    if request.POST.get("action") == "discard":
        transcripts_importing.discard_upload(upload)
        return HttpResponseRedirect(reverse("memory:transcript-detail", args=[ref]))
    if request.POST.get("action") == "read-again":
        jobs.begin_reading(upload)
        return HttpResponseRedirect(reverse("memory:transcript-review", args=[ref, upload.id]))
    chosen = [transcripts_importing.ChosenConversation(*choice) for choice in parse_choices(request.POST)]
    count = transcripts_importing.choose_conversations(upload, chosen)
    jobs.begin_import(upload, count, keys_of(request))
    return HttpResponseRedirect(reverse("memory:transcript-review", args=[ref, upload.id]))
