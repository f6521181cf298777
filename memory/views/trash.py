"""Deleting discussions, and taking that back."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memory.contexts.trash import PurgeContext, TrashConfirmContext, TrashListContext
from memory.forms_history import NOTHING_TICKED, CountForm, parse_names
from memory.services import trash
from memory.views.choosing import chosen_refs
from wilmer_site.lib.htmx import HtmxHttpRequest, ToastAction, done, render_page


@require_safe
def trash_list(request: HtmxHttpRequest) -> HttpResponse:
    """Everything in the trash."""
    context = TrashListContext.build(trash.list_trash())
    return render_page(request, "memory/trash_list.html", "trash-table", context)


@require_http_methods(["GET", "HEAD", "POST"])
def trash_confirm(request: HtmxHttpRequest) -> HttpResponse:
    """Say what deleting some discussions would move, then do it; several ask for their number."""
    refs = chosen_refs(request.POST if request.method == "POST" else request.GET)
    if not refs:
        return done(request, "memory:discussion-list", message=NOTHING_TICKED)
    form = CountForm(request.POST if request.method == "POST" else None, expected=len(refs))
    if form.is_valid():
        count, actor = form.cleaned_data["count"], request.user.get_username()
        moved = trash.trash_many(refs, actor=actor, count=count)
        return done(request, "memory:discussion-list", message=moved.describe(), action=_offer_return(moved))
    context = TrashConfirmContext.build([trash.plan_trashing(ref) for ref in refs], form)
    status = 422 if form.is_bound else 200
    return render_page(request, "memory/trash_confirm.html", "trash-confirm", context, status=status)


def _offer_return(moved: trash.Trashed) -> ToastAction | None:
    """One discussion can be put back with a click; several wait in the trash."""
    if len(moved.entries) != 1:
        return None
    return ToastAction("Undo", reverse("memory:trash-undo", args=[moved.entries[0].name]))


@require_POST
def trash_undo(request: HtmxHttpRequest, name: str) -> HttpResponse:
    """Put a deleted discussion back where it was."""
    entry = trash.restore_trashed(name, actor=request.user.get_username())
    return done(request, "memory:discussion-detail", entry.ref, message="Put back, with its history.")


@require_http_methods(["GET", "HEAD", "POST"])
def trash_purge(request: HtmxHttpRequest) -> HttpResponse:
    """Ask for the number, then delete for ever."""
    names = parse_names(request.POST if request.method == "POST" else request.GET)
    if not names:
        return done(request, "memory:trash-list", message=NOTHING_TICKED)
    form = CountForm(request.POST if request.method == "POST" else None, expected=len(names))
    if form.is_valid():
        count = trash.purge_trashed(names, actor=request.user.get_username(), count=form.cleaned_data["count"])
        return done(request, "memory:trash-list", message=f"{count:,} deleted for ever.")
    context = PurgeContext.build([trash.get_trashed(name) for name in names], form)
    status = 422 if form.is_bound else 200
    return render_page(request, "memory/trash_purge.html", "trash-purge", context, status=status)
