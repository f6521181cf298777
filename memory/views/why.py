"""Why memory ran or did not, and what other thresholds would change."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from memory.contexts.why import SimulationView, WhyContext
from memory.forms import ThresholdForm, parse_writer_path
from memory.queries import discussions
from memory.services.explaining import find_simulation, find_why, get_present_thresholds
from memory.types import DiscussionRef
from wilmer_site.keyring import keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest, render_page


@require_safe
def why_detail(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """The verdict of each path, and the simulator; a region of the page is the simulator alone."""
    keys = keys_of(request)
    header = discussions.get_header(ref, keys)
    why = find_why(ref, keys)
    form = ThresholdForm.from_url(request.GET, get_present_thresholds(parse_writer_path(request.GET)))
    simulation = None
    if why:
        tried = find_simulation(ref, form.what_if()) if form.is_valid() else None
        simulation = SimulationView.build(form, tried, find_simulation(ref, form.present))
    context = WhyContext.build(header, why, simulation)
    status = 200 if form.is_valid() else 422
    return render_page(request, "memory/why_detail.html", "simulation", context, status=status)
