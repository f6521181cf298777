"""Which workflows there are, and what is in one."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from wilmer_site.lib.htmx import HtmxHttpRequest, render_page
from workflows_app.contexts.workflows import WorkflowDetailContext, WorkflowListContext
from workflows_app.queries import workflows


@require_safe
def workflow_list(request: HtmxHttpRequest) -> HttpResponse:
    """Every workflow file, folder by folder."""
    text = request.GET.get("text", "")[:300]
    context = WorkflowListContext.build(workflows.list_workflows(text), text)
    return render_page(request, "workflows_app/workflow_list.html", "workflow-table", context)


@require_safe
def workflow_detail(request: HtmxHttpRequest, path: str) -> HttpResponse:
    """One workflow: its nodes as cards, and the file."""
    context = WorkflowDetailContext.build(workflows.get_workflow(path))
    return render_page(request, "workflows_app/workflow_detail.html", "", context)
