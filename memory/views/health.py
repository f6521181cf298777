"""What the checks found."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from memory.contexts.health import HealthListContext, ProblemListContext
from memory.forms import parse_page
from memory.queries import discussions, health
from memory.types import DiscussionRef
from wilmer_site.keyring import keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest, render_page


@require_safe
def health_list(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """Every check of one discussion."""
    keys = keys_of(request)
    header = discussions.get_header(ref, keys)
    context = HealthListContext.build(header, health.list_checks(ref, keys))
    return render_page(request, "memory/health_list.html", "health-table", context)


@require_safe
def problem_list(request: HtmxHttpRequest) -> HttpResponse:
    """Everything the checks found in all discussions."""
    context = ProblemListContext.build(health.list_problems(parse_page(request.GET)))
    return render_page(request, "memory/problem_list.html", "problem-table", context)
