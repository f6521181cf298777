"""What every page that changes memory has in common: ask, tell what follows, do, or ask again after a clash."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from memory.contexts.editing import ConflictContext, EditContext, EditFrame
from memory.engine.blast_radius import BlastRadius
from memory.forms_editing import EditForm
from memory.queries import discussions
from memory.services.editing import Clash, Edited, Editor, Outcome
from memory.services.permission import require_changes_allowed
from memory.types import DiscussionRef
from wilmer_site.keyring import keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest, ToastAction, leave, render_page, wants_fragment

METHODS = ["GET", "HEAD", "POST"]
PREVIEW = "preview"


@dataclass(frozen=True, slots=True)
class Change:
    """One change as a page: its form, how it is shown, and what it does with the values of the form."""

    frame: EditFrame
    form: EditForm
    perform: Callable[[Editor, dict[str, Any]], Outcome]


def sent(request: HtmxHttpRequest) -> QueryDict | None:
    """What a form sent; None when it is only opened."""
    return request.POST if request.method == "POST" else None


def answer(request: HtmxHttpRequest, ref: DiscussionRef, change: Change) -> HttpResponse:
    """The box, the effects of what is typed, the question after a clash, or the way on after success."""
    change = replace(change, frame=replace(change.frame, back_url=_find_back(request, change.frame.back_url)))
    form, is_asking = change.form, request.method != "POST" or PREVIEW in request.POST
    if PREVIEW in request.POST:
        form.relax()
    if form.is_bound and not form.is_valid():
        return _show(request, ref, change, None)
    if not is_asking:
        require_changes_allowed()
    editor = Editor(ref, request.user.get_username(), keys_of(request), is_dry_run=is_asking)
    outcome = change.perform(editor, form.values())
    if isinstance(outcome, Clash):
        return _ask(request, ref, change, outcome)
    return _show(request, ref, change, outcome.radius) if is_asking else _finish(request, ref, change, outcome)


def _show(request: HtmxHttpRequest, ref: DiscussionRef, change: Change, radius: BlastRadius | None) -> HttpResponse:
    header = discussions.get_header(ref, keys_of(request))
    context = EditContext.build(header, change.frame, change.form, radius)
    if PREVIEW in request.POST and wants_fragment(request):
        return render_page(request, "memory/_effects.html", "", context)
    status = 200 if radius is not None else 422
    return render_page(request, "memory/edit.html", "edit-box", context, status=status)


def _ask(request: HtmxHttpRequest, ref: DiscussionRef, change: Change, clash: Clash) -> HttpResponse:
    header = discussions.get_header(ref, keys_of(request))
    context = ConflictContext.build(header, change.frame, change.form, clash)
    response = render_page(request, "memory/edit_conflict.html", "edit-box", context, status=409)
    if wants_fragment(request):
        response["HX-Retarget"] = f"#edit-box-{change.frame.key}"
        response["HX-Reswap"] = "outerHTML"
    return response


def _finish(request: HtmxHttpRequest, ref: DiscussionRef, change: Change, edited: Edited) -> HttpResponse:
    if edited.batch is None:
        return leave(request, change.frame.back_url, message="Nothing was changed: it is as you want it already.")
    undo = ToastAction("Undo", reverse("memory:revision-undo", args=[ref, edited.batch]))
    return leave(request, change.frame.back_url, message=f"{edited.action}.", action=undo)


def _find_back(request: HtmxHttpRequest, usual: str) -> str:
    """Where the person came from, if it is a page of ours; else the usual place."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    if wants_fragment(request) and not wanted:
        wanted = request.htmx.current_url_abs_path or ""
    is_ours = wanted.startswith("/") and url_has_allowed_host_and_scheme(wanted, allowed_hosts=None)
    return wanted if is_ours else usual
