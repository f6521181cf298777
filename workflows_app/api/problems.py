"""What is wrong with the config files."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.http import HttpRequest
from ninja import Query, Router

from wilmer_site.api_schemas import ErrorOut
from workflows_app.queries import linting
from workflows_app.queries.configs import get_kind
from workflows_app.results import ProblemFilter
from workflows_app.schemas.linting import ProblemList, ProblemQuery

router = Router(tags=["Configs"])

_ERRORS = {401: ErrorOut, 403: ErrorOut, 404: ErrorOut, 422: ErrorOut}


@router.get(
    "/config-problems",
    response={200: ProblemList, **_ERRORS},
    url_name="config-problem-list",
    operation_id="config_problem_list",
    summary="Check the config files",
)
def list_problems(request: HttpRequest, asked: Query[ProblemQuery]) -> Any:
    """Every problem of the folder that is open, as `manage.py lint_configs` finds them."""
    wanted = ProblemFilter(asked.severity or "", asked.kind or "", asked.user, asked.text)
    if asked.path:
        get_kind(asked.path)
    found = linting.get_problem_report(wanted).problems
    items = [problem for problem in found if asked.path in ("", problem.path)]
    return {"items": items, "total": len(items), "by_severity": Counter(str(item.severity) for item in items)}
