"""What is wrong, in one discussion and in all."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router

from memory.api.pages import page_object, whole_list
from memory.api.registration import Reading, reads
from memory.api.requests import RefText, find_keys, parse_ref
from memory.queries import health as queries
from memory.schemas.asked import PageQuery
from memory.schemas.discussions import HealthCheckPage, ProblemPage, ProblemSchema

router = Router()

_TAG = "Health"


@reads(
    router, "/health", Reading("problem-list", _TAG, "List problems of all discussions", ProblemPage, is_keyed=False)
)
def list_problems(request: HttpRequest, asked: Query[PageQuery]) -> dict[str, Any]:
    """Every finding, worst first. Discussions whose files were not looked at yet have none."""
    return page_object(request, queries.list_problems(asked.page_request()).map(ProblemSchema.build))


@reads(router, "/discussions/{ref}/health", Reading("health", _TAG, "Check one discussion", HealthCheckPage))
def list_checks(request: HttpRequest, ref: RefText) -> dict[str, Any]:
    """Every check, those that found nothing included. Configs count too, so the ETag is of the answer itself."""
    checks = queries.list_checks(parse_ref(ref), find_keys(request))
    return page_object(request, whole_list(list(checks)))
