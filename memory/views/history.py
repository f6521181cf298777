"""Every version of every file of a discussion, and the ways back."""

from __future__ import annotations

import uuid

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memory.contexts.history import (
    BatchDetailContext,
    HistoryListContext,
    RevisionDetailContext,
    RevisionRestoreContext,
)
from memory.contexts.origins import BlameDetailContext
from memory.engine.history import HistoryFilter
from memory.forms import parse_page
from memory.forms_history import parse_history, parse_look, parse_side
from memory.queries import discussions, history
from memory.queries.noticing import notice_writes
from memory.services.restoring import Version, restore_revision, try_undo
from memory.types import Artefact, DiscussionRef
from wilmer_site.keyring import keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest, ToastAction, done, find_referrer, go, leave, render_page
from wilmer_site.lib.paging import PageRequest


@require_safe
def history_list(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """One page of the writes; what other programs wrote is noticed now."""
    wanted, keys = parse_history(request.GET), keys_of(request)
    header = discussions.get_header(ref, keys)
    notice_writes(ref, keys)
    page = history.list_history(ref, wanted, parse_page(request.GET))
    counts = (history.count_files(ref), history.count_writers(ref), history.get_size())
    context = HistoryListContext.build(header, page, wanted, counts)
    return render_page(request, "memory/history_list.html", "history-table", context)


@require_safe
def revision_detail(request: HtmxHttpRequest, ref: DiscussionRef, number: int) -> HttpResponse:
    """What one write changed, or what changed since."""
    asked, keys = parse_look(request.GET), keys_of(request)
    header = discussions.get_header(ref, keys)
    comparison = history.get_comparison(ref, number, keys, asked["against"])
    card = history.get_card(ref, number)
    others = history.list_history(ref, HistoryFilter(card.artefact), PageRequest(size=100)).items
    context = RevisionDetailContext.build(header, (card, others), comparison, asked)
    return render_page(request, "memory/revision_detail.html", "revision", context)


@require_http_methods(["GET", "HEAD", "POST"])
def revision_restore(request: HtmxHttpRequest, ref: DiscussionRef, number: int) -> HttpResponse:
    """Ask, then put the content before or after a write in place."""
    side, keys = parse_side(request.GET), keys_of(request)
    if request.method == "POST":
        version, expected = Version(number, side), request.POST.get("expected")
        actor = request.user.get_username()
        restored = restore_revision(ref, version, actor=actor, keys=keys, expected_etag=expected)
        return done(request, "memory:batch-detail", ref, restored.batch, message="Put back. It can be taken back here.")
    header = discussions.get_header(ref, keys)
    context = RevisionRestoreContext.build(header, history.preview_restore(ref, number, keys, side=side))
    return render_page(request, "memory/revision_restore.html", "revision-restore", context)


@require_safe
def batch_detail(request: HtmxHttpRequest, ref: DiscussionRef, batch: uuid.UUID) -> HttpResponse:
    """A whole action, and what taking it back would do."""
    keys = keys_of(request)
    header = discussions.get_header(ref, keys)
    context = BatchDetailContext.build(header, history.get_batch(ref, batch, keys))
    return render_page(request, "memory/batch_detail.html", "batch", context)


@require_POST
def revision_undo(request: HtmxHttpRequest, ref: DiscussionRef, batch: uuid.UUID) -> HttpResponse:
    """Take a whole action back; a clash leads to the page that shows both."""
    undone = try_undo(
        ref, batch, actor=request.user.get_username(), keys=keys_of(request), force=request.POST.get("force") == "yes"
    )
    if undone is None:
        return go(request, "memory:batch-detail", ref, batch)
    redo = ToastAction("Redo", reverse("memory:revision-undo", args=[ref, undone.batch]))
    usual = reverse("memory:batch-detail", args=[ref, undone.batch])
    return leave(request, find_referrer(request) or usual, message=f"{undone.action}.", action=redo)


@require_safe
def blame_detail(request: HtmxHttpRequest, ref: DiscussionRef, artefact: Artefact) -> HttpResponse:
    """Where each line or entry of a file came from."""
    keys = keys_of(request)
    header = discussions.get_header(ref, keys)
    notice_writes(ref, keys)
    context = BlameDetailContext.build(header, history.get_blame(ref, artefact, keys), history.count_files(ref))
    return render_page(request, "memory/blame_detail.html", "blame", context)
