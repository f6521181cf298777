"""One node of a run, and runs that begin there."""

from __future__ import annotations

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from wilmer_site.keyring import keys_of
from wilmer_site.lib.errors import InvalidError
from wilmer_site.lib.htmx import HtmxHttpRequest, done, render_page
from workflows_app import jobs
from workflows_app.contexts.node_runs import NodeRunDetailContext
from workflows_app.forms import RerunForm, parse_tab
from workflows_app.queries import runs as queries
from workflows_app.services import reruns
from workflows_app.views.attempts import find_trial


@require_safe
def node_run_detail(request: HtmxHttpRequest, run_id: int, number: int) -> HttpResponse:
    """What a node got, did and left, beside the tree of its run."""
    tab, run, node = parse_tab(request.GET), queries.get_tree(run_id), queries.get_node(run_id, number)
    trial = find_trial(request, run_id, node) if tab == "try" else None
    context = NodeRunDetailContext.build(run, node, tab, trial)
    return render_page(request, "workflows_app/node_run_detail.html", "node-pane", context)


@require_POST
def node_run_rerun(request: HtmxHttpRequest, run_id: int, number: int) -> HttpResponse:
    """Run again from this node, or this node alone, or behind an output typed for it or given by another try."""
    form = RerunForm(request.POST)
    if not form.is_valid():
        raise InvalidError("Say whether to run from here, only this node, or with an edited output.", field="mode")
    mode = form.cleaned_data["mode"]
    attempt = form.cleaned_data["attempt"] if mode == "attempt" else None
    asked = reruns.RerunRequest(number, form.output_or_none(), mode == "single", attempt)
    new_id = jobs.start_rerun_job(run_id, asked, requested_by=request.user, keys=keys_of(request))
    return HttpResponseRedirect(reverse("workflows:run-detail", args=[new_id]))


@require_POST
def node_run_pin(request: HtmxHttpRequest, run_id: int, number: int) -> HttpResponse:
    """Let runs that start from this one keep this output, or no longer."""
    is_pinned = request.POST.get("is_pinned") == "1"
    reruns.pin_node(run_id, number, is_pinned=is_pinned)
    told = "This output is used again by every run that starts from this one." if is_pinned else "No longer pinned."
    return done(request, "workflows:node-run-detail", run_id, number, event="run-changed", message=told)
