"""Making memory anew: what it would send, and the start."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from memory import jobs
from memory.contexts.regeneration import RegenerationContext
from memory.job_forms import RegenerationForm
from memory.queries import discussions
from memory.queries import jobs as queries
from memory.services.permission import require_administrator
from memory.services.regeneration import find_plan
from memory.types import DiscussionRef
from wilmer_site.keyring import keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest, render_page


@require_http_methods(["GET", "POST"])
def regeneration_start(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """Show every prompt that would be sent; start only by the button below them."""
    keys, is_start = keys_of(request), request.method == "POST"
    if is_start:
        require_administrator(request.user)
    header = discussions.get_header(ref, keys)
    form = RegenerationForm(request.POST if is_start else request.GET)
    asked, notice = form.request, ""
    if is_start and asked:
        started = jobs.start_or_find_job(
            ref, asked, keys, actor=request.user.get_username(), digest=form.cleaned_data["digest"]
        )
        if started.job_id is not None:
            messages.info(request, "The job is queued." if started.is_new else started.problem)
            return redirect("memory:job-detail", started.job_id)
        notice = started.problem
    outlook = find_plan(ref, asked, keys) if asked else None
    open_job = queries.find_open_job(ref, asked.layer.value) if asked else None
    context = RegenerationContext.build(header, form, outlook, open_job, notice)
    status = 200 if not is_start else 409 if notice else 422
    return render_page(request, "memory/regeneration_start.html", "regeneration", context, status=status)
