"""Making memory anew in many discussions: one plan for each, then one job for each."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from memory import jobs
from memory.contexts.bulk_regeneration import BulkContext
from memory.engine.regeneration import Kind, RegenerationRequest
from memory.forms_history import NOTHING_TICKED
from memory.job_forms import parse_starts
from memory.services.permission import require_administrator
from memory.services.regeneration_bulk import BULK_KINDS, BulkOutlook, find_plans
from memory.views.choosing import chosen_refs
from wilmer_site.keyring import keys_of
from wilmer_site.lib.errors import InvalidError
from wilmer_site.lib.htmx import HtmxHttpRequest, done, render_page

PAGE, PARTIAL = "memory/regeneration_bulk.html", "bulk"


@require_http_methods(["GET", "HEAD", "POST"])
def regeneration_bulk(request: HtmxHttpRequest) -> HttpResponse:
    """Show what each discussion would send; the button below starts one job for each of them."""
    kind, keys = _parse_kind(request.GET), keys_of(request)
    if request.method == "POST" and kind:
        require_administrator(request.user)
        started = jobs.start_jobs(
            parse_starts(request.POST), RegenerationRequest(kind), keys, actor=request.user.get_username()
        )
        messages.info(request, started.describe())
        return redirect("memory:job-list")
    refs = chosen_refs(request.GET)
    if not refs:
        return done(request, "memory:discussion-list", message=NOTHING_TICKED)
    selection = request.GET.copy()
    selection.pop("kind", None)
    outlook = find_plans(refs, RegenerationRequest(kind), keys) if kind else BulkOutlook()
    context = BulkContext.build(refs, kind, outlook, selection.urlencode())
    return render_page(request, PAGE, PARTIAL, context, status=422 if outlook.problem else 200)


def _parse_kind(data: QueryDict) -> Kind | None:
    """The kind that was chosen; raises InvalidError for one that is not done for many."""
    text = data.get("kind", "")
    if text and text not in {kind.value for kind in BULK_KINDS}:
        raise InvalidError(f"kind must be one of {', '.join(BULK_KINDS)}.", field="kind")
    return Kind(text) if text else None
