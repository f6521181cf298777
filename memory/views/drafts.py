"""Drafts: read beside the old text, edited, accepted, rejected."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_POST, require_safe

from memory.contexts.drafts import DraftClashContext, DraftContext
from memory.job_forms import MAX_TEXT, DraftForm
from memory.queries import jobs as queries
from memory.services import drafts
from wilmer_site.keyring import keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest, done, render_page

PAGE, PARTIAL = "memory/draft_detail.html", "draft"
SIDES = "memory/_draft_sides.html"
CLASH, CLASH_PARTIAL = "memory/draft_clash.html", "draft-clash"


@require_safe
def draft_detail(request: HtmxHttpRequest, job_id: int, position: int) -> HttpResponse:
    """One draft beside the text it would replace."""
    draft = queries.get_draft(job_id, position, keys_of(request))
    if draft.card.state is queries.DraftState.STALE:
        clash = drafts.get_clash(job_id, position, keys_of(request))
        return render_page(request, CLASH, CLASH_PARTIAL, DraftClashContext.build(draft, clash))
    return render_page(request, PAGE, PARTIAL, DraftContext.build(draft))


@require_POST
def draft_compare(request: HtmxHttpRequest, job_id: int, position: int) -> HttpResponse:
    """What the box shows, word by word beside the stored text, while somebody types; nothing is kept."""
    text = request.POST.get("text", "")[:MAX_TEXT].replace("\r\n", "\n")
    context = DraftContext.build(queries.get_draft(job_id, position, keys_of(request)), box=text)
    return render_page(request, SIDES, "", context)


@require_POST
def draft_accept(request: HtmxHttpRequest, job_id: int, position: int) -> HttpResponse:
    """Store what the box shows; a draft that is out of date leads to the page that compares."""
    draft = queries.get_draft(job_id, position, keys_of(request))
    form = DraftForm(request.POST, kind=draft.job.request.kind)
    if not form.is_valid():
        return _show_again(request, draft, form)
    text, decider = form.cleaned_data["text"], drafts.Decider(request.user.get_username(), keys_of(request))
    accepted = drafts.try_draft(job_id, position, decider, text=text, seen=form.cleaned_data["seen"] or None)
    if accepted.stale:
        clash = drafts.get_clash(job_id, position, decider.keys)
        context = DraftClashContext.build(queries.get_draft(job_id, position, keys_of(request)), clash, text)
        return render_page(request, CLASH, CLASH_PARTIAL, context, status=409)
    return _go_on(request, job_id, position, "Accepted and stored.")


@require_POST
def draft_keep(request: HtmxHttpRequest, job_id: int, position: int) -> HttpResponse:
    """Keep what the box shows, without deciding yet."""
    draft = queries.get_draft(job_id, position, keys_of(request))
    form = DraftForm(request.POST, kind=draft.job.request.kind)
    if not form.is_valid():
        return _show_again(request, draft, form)
    drafts.edit_draft(job_id, position, form.cleaned_data["text"], keys_of(request))
    return done(request, "memory:draft-detail", job_id, position, event="jobs-changed", message="Kept for later.")


@require_POST
def draft_reject(request: HtmxHttpRequest, job_id: int, position: int) -> HttpResponse:
    """Leave what is stored."""
    drafts.reject_drafts(job_id, [position], drafts.Decider(request.user.get_username(), keys_of(request)))
    return _go_on(request, job_id, position, "Rejected; the stored text stays.")


def _show_again(request: HtmxHttpRequest, draft: queries.DraftDetail, form: DraftForm) -> HttpResponse:
    """The page with what was typed, and what is wrong with it."""
    errors = tuple(str(error) for error in form.errors.get("text", ()))
    context = DraftContext.build(draft, box=request.POST.get("text", ""), errors=errors)
    return render_page(request, PAGE, PARTIAL, context, status=422)


def _go_on(request: HtmxHttpRequest, job_id: int, position: int, message: str) -> HttpResponse:
    """To the next draft that somebody has to look at, else to the job."""
    following = queries.find_next_undecided(job_id, position)
    if following is None:
        return done(request, "memory:job-detail", job_id, event="jobs-changed", message=message)
    return done(request, "memory:draft-detail", job_id, following, event="jobs-changed", message=message)
