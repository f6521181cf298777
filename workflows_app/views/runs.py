"""Starting, listing, watching and cancelling runs."""

from __future__ import annotations

import json
from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from wilmer_site.keyring import keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest, done, render_page
from wilmer_site.lib.sse import ServerEvent, event_stream
from workflows_app import jobs
from workflows_app.contexts.addresses import page_address
from workflows_app.contexts.runs import RunDetailContext, RunListContext, RunStartContext, RunStrip
from workflows_app.forms import RunForm, parse_number, parse_page, parse_run_filter
from workflows_app.queries import runs as queries
from workflows_app.queries import workflows as workflow_queries
from workflows_app.run_results import RunEventRecord
from workflows_app.services import runs
from workflows_app.services.following import follow_events
from workflows_app.services.starting import build_request

_TREE_EVENTS = ("node-", "model-asked", "memory-progressed", "answer-finished")


@require_safe
def run_list(request: HtmxHttpRequest) -> HttpResponse:
    """One page of the recorded runs, the newest first."""
    runs.reap_stale_runs()
    wanted = parse_run_filter(request.GET)
    page = queries.list_runs(wanted, parse_page(request.GET))
    context = RunListContext.build(wanted, page, queries.count_states(wanted))
    return render_page(request, "workflows_app/run_list.html", "run-table", context)


@require_http_methods(["GET", "POST"])
def run_start(request: HtmxHttpRequest) -> HttpResponse:
    """Show the form that starts a run, or start it and go to its page."""
    path = request.GET.get("workflow", "")
    initial = {**request.GET.dict(), "is_sandbox": True, "user": workflow_queries.choose_user(path.rpartition("/")[0])}
    form = RunForm(
        request.POST if request.method == "POST" else None,
        workflows=[file.path for file in workflow_queries.list_workflows() if file.is_runnable],
        users=workflow_queries.list_users(),
        initial=initial,
    )
    if form.is_valid() and form.accepts(runs.find_problem(build_request(form.cleaned_data))):
        run_id = jobs.start_run_job(build_request(form.cleaned_data), requested_by=request.user, keys=keys_of(request))
        return HttpResponseRedirect(reverse("workflows:run-detail", args=[run_id]))
    context = RunStartContext(
        form=form,
        discussions=tuple(queries.list_transcripts()),
        known=queries.list_discussions(),
        workflow_url=page_address("workflow-detail", path) if path else "",
        list_url=page_address("workflow-list"),
        is_read_only=runs.is_read_only(),
    )
    return render_page(request, "workflows_app/run_start.html", "", context, status=422 if form.is_bound else 200)


@require_safe
def run_detail(request: HtmxHttpRequest, run_id: int) -> HttpResponse:
    """One run: its tree, its answer, and what it was given."""
    runs.reap_stale_runs()
    context = RunDetailContext.build(queries.get_run(run_id))
    return render_page(request, "workflows_app/run_detail.html", "node-pane", context)


@require_safe
def run_events(request: HtmxHttpRequest, run_id: int) -> StreamingHttpResponse:
    """What happens in a run, as it happens: the name of each event is its kind, its data a rendered piece."""
    queries.get_state(run_id)
    seen = {"after": request.headers.get("Last-Event-ID") or request.GET.get("after", "")}
    batches = follow_events(run_id, after=parse_number(seen, "after", 0))
    return event_stream(event for batch in batches for event in _render_batch(request, run_id, batch))


@require_POST
def run_cancel(request: HtmxHttpRequest, run_id: int) -> HttpResponse:
    """End a run, in the middle of an answer too."""
    runs.cancel_run(run_id)
    return done(request, "workflows:run-detail", run_id, event="run-changed", message="Cancelling the run.")


@require_POST
def run_delete(request: HtmxHttpRequest, run_id: int) -> HttpResponse:
    """Forget a run that is over."""
    runs.delete_run(run_id)
    return done(request, "workflows:run-list", event="runs-changed", message=f"Run {run_id} is deleted.")


def _render_batch(request: HttpRequest, run_id: int, batch: list[RunEventRecord]) -> Iterator[ServerEvent]:
    """Every piece of text; of what changes the tree or the state only the last, for the page shows the present."""
    if not batch:
        yield ServerEvent("keep-alive", "")
        return
    for event in batch:
        if event.name == "token-streamed":
            yield ServerEvent(event.name, json.dumps({"node": event.node, "text": event.data["text"]}))
    number = str(batch[-1].number)
    page = {"page": {"run": RunStrip.build(queries.get_tree(run_id))}}
    tree = [event for event in batch if event.name.startswith(_TREE_EVENTS)]
    if tree:
        html = render_to_string("workflows_app/run_detail.html#run-tree", page, request)
        yield ServerEvent(tree[-1].name, html, number)
    states = [event for event in batch if event.name.startswith("run-")]
    if states:
        html = render_to_string("workflows_app/run_detail.html#run-status", page, request)
        yield ServerEvent(states[-1].name, html, number)
