"""Which workflows there are, and what is in one."""

from __future__ import annotations

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from wilmer_site.lib.htmx import HtmxHttpRequest, render_page
from workflows_app.contexts.workflows import WorkflowDetailContext, WorkflowListContext, WorkflowNewContext
from workflows_app.forms import WorkflowNewForm
from workflows_app.queries import workflows
from workflows_app.services import workflow_starting


@require_safe
def workflow_list(request: HtmxHttpRequest) -> HttpResponse:
    """Every workflow file, folder by folder."""
    text = request.GET.get("text", "")[:300]
    context = WorkflowListContext.build(workflows.list_workflows(text), text)
    return render_page(request, "workflows_app/workflow_list.html", "workflow-table", context)


@require_safe
def workflow_detail(request: HtmxHttpRequest, path: str) -> HttpResponse:
    """One workflow: its nodes as cards, and the file."""
    context = WorkflowDetailContext.build(workflows.get_workflow(path), workflows.list_users_of(path))
    return render_page(request, "workflows_app/workflow_detail.html", "", context)


@require_http_methods(["GET", "HEAD", "POST"])
def workflow_new(request: HtmxHttpRequest) -> HttpResponse:
    """Ask for a folder and a name, make the file and open the editor."""
    form = WorkflowNewForm(
        request.POST if request.method == "POST" else None,
        folders=workflows.list_folders(),
        taken=[file.path for file in workflows.list_workflows()],
        initial={"folder": request.GET.get("folder") or workflows.find_own_folder()},
    )
    if form.is_valid():
        path = workflow_starting.create_workflow(form.cleaned_data["path"], author=request.user.get_username())
        return HttpResponseRedirect(reverse("workflows:config-edit", args=[path]))
    context = WorkflowNewContext.build(form)
    return render_page(request, "workflows_app/workflow_new.html", "", context, status=422 if form.is_bound else 200)
