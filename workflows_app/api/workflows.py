"""Workflow files."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router

from wilmer_site.api_schemas import ErrorOut
from workflows_app.queries import workflows as queries
from workflows_app.schemas.workflows import WorkflowDetailOut, WorkflowPage

router = Router(tags=["Workflows"])

_ERRORS = {401: ErrorOut, 403: ErrorOut, 404: ErrorOut, 413: ErrorOut, 422: ErrorOut, 503: ErrorOut}


@router.get(
    "/workflows",
    response={200: WorkflowPage, **_ERRORS},
    url_name="workflow-list",
    operation_id="workflow_list",
    summary="List the workflow files",
)
def list_workflows(request: HttpRequest, text: Query[str] = "") -> Any:
    """Every JSON file below `Configs/Workflows` whose path contains `text`, with what is wrong with it."""
    files = queries.list_workflows(text)
    return {"items": files, "total": len(files)}


@router.get(
    "/workflows/{path:path}",
    response={200: WorkflowDetailOut, **_ERRORS},
    url_name="workflow",
    operation_id="workflow",
    summary="Get one workflow file",
)
def get_workflow(request: HttpRequest, path: str) -> Any:
    """Its nodes, its variables, and the file as it is; a file that is no workflow has a `problem` and no nodes."""
    return queries.get_workflow(path)
