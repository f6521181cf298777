"""Mending what the health checks find."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from memory.contexts.repairs import RepairDetailContext
from memory.forms_repairs import RepairForm
from memory.queries import discussions
from memory.services.repairs import Repairer, find_repair, repair
from memory.types import DiscussionRef
from wilmer_site.keyring import keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest, done, render_page


@require_http_methods(["GET", "HEAD", "POST"])
def repair_detail(request: HtmxHttpRequest, ref: DiscussionRef, code: str) -> HttpResponse:
    """Say what mending a finding would do, then do it."""
    keys = keys_of(request)
    header = discussions.get_header(ref, keys)
    form = RepairForm(request.POST if request.method == "POST" else request.GET)
    repairer = Repairer(ref, request.user.get_username(), keys, form.number())
    plan = find_repair(repairer, code)
    if plan is None:
        return done(
            request, "memory:health-list", ref, message="That check finds nothing that can be mended by itself."
        )
    if request.method == "POST" and form.is_valid() and not plan.problem:
        repaired = repair(repairer, code)
        return done(request, "memory:health-list", ref, message=f"{repaired.action}.")
    context = RepairDetailContext.build(header, plan, form)
    status = 422 if request.method == "POST" or not form.is_valid() else 200
    return render_page(request, "memory/repair_detail.html", "repair", context, status=status)
