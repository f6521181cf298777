"""The chat of a discussion: read, hashed in another form, detached."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memory.contexts.pending_imports import build_pending_rows
from memory.contexts.transcripts import TranscriptContext, TranscriptSettingsContext
from memory.forms_transcripts import parse_transcript
from memory.queries import coverage, discussions, transcript_matching, transcripts
from memory.services import transcripts as services
from memory.services.pending_imports import list_pending
from memory.types import DiscussionRef
from wilmer_site.keyring import keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest, done, render_page


@require_safe
def transcript_detail(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """One page of messages; the one around a message that is asked for."""
    asked, keys = parse_transcript(request.GET), keys_of(request)
    header = discussions.get_header(ref, keys)
    lines = transcripts.page_messages(ref, asked.page, contains=asked.contains)
    context = TranscriptContext.build(
        header, transcripts.find_transcript(ref), lines, coverage.find_coverage(ref, keys), asked
    )
    context = replace(context, pending=build_pending_rows(list_pending(ref)))
    return render_page(request, "memory/transcript_detail.html", "message-list", context)


@require_http_methods(["GET", "HEAD", "POST"])
def transcript_settings(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """How each hash form agrees with what WilmerAI stored; choosing one hashes every message again."""
    if request.method == "POST":
        count = services.change_variant(ref, request.POST.get("variant", ""))
        return done(request, "memory:transcript-settings", ref, message=f"{count:,} messages are hashed anew.")
    keys = keys_of(request)
    header, card = discussions.get_header(ref, keys), transcripts.find_transcript(ref)
    said = (said for _, said in transcripts.iterate_said(ref))
    matches = transcript_matching.measure_variants(ref, said, keys)
    context = TranscriptSettingsContext.build(header, card, matches)
    return render_page(request, "memory/transcript_settings.html", "", context)


@require_POST
def transcript_delete(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """Detach the chat; WilmerAI's files and all memories stay."""
    count = services.delete_transcript(ref)
    return done(request, "memory:transcript-detail", ref, message=f"The transcript of {count:,} messages is detached.")
