"""How far the memory of one discussion has got."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from memory.contexts.trackers import TrackerListContext
from memory.queries import discussions, trackers
from memory.types import DiscussionRef
from wilmer_site.keyring import keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest, render_page


@require_safe
def tracker_list(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """Every stored hash with what it names."""
    keys = keys_of(request)
    header = discussions.get_header(ref, keys)
    context = TrackerListContext.build(header, trackers.get_trackers(ref, keys))
    return render_page(request, "memory/tracker_list.html", "trackers", context)
