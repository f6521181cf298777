"""Two runs side by side."""

from __future__ import annotations

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from wilmer_site.lib.htmx import HtmxHttpRequest, render_page
from workflows_app.contexts.comparison import RunCompareContext
from workflows_app.forms import parse_pair
from workflows_app.queries import runs


@require_safe
def run_compare(request: HtmxHttpRequest) -> HttpResponse:
    """The nodes of two runs, those at the same place beside each other."""
    if "run" not in request.GET:
        return HttpResponseRedirect(reverse("workflows:run-list"))
    left_id, right_id = parse_pair(request.GET)
    left, right = runs.get_run(left_id).card, runs.get_run(right_id).card
    context = RunCompareContext.build(left, right, runs.compare_runs(left_id, right_id))
    return render_page(request, "workflows_app/run_compare.html", "", context)
