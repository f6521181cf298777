"""What is wrong with the config files."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from wilmer_site.lib.htmx import HtmxHttpRequest, render_page
from workflows_app.contexts.problems import ProblemListContext
from workflows_app.forms import parse_page, parse_problem_filter
from workflows_app.queries import linting


@require_safe
def problem_list(request: HtmxHttpRequest) -> HttpResponse:
    """The problems of the whole folder, file by file."""
    wanted = parse_problem_filter(request.GET)
    context = ProblemListContext.build(wanted, linting.get_problem_report(wanted), parse_page(request.GET, size=100))
    return render_page(request, "workflows_app/problem_list.html", "config-problem-table", context)
