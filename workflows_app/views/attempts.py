"""A request of a node, sent again with changed words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_POST, require_safe

from wilmer_site.lib.errors import InvalidError
from wilmer_site.lib.htmx import HtmxHttpRequest, done, render_page
from workflows_app import jobs
from workflows_app.contexts.addresses import page_address
from workflows_app.contexts.attempts import AttemptListContext, TryContext, build_sheet
from workflows_app.contexts.curl import format_curl
from workflows_app.contexts.node_runs import NodeRunDetailContext
from workflows_app.forms import AttemptForm, parse_number
from workflows_app.queries import attempts as queries
from workflows_app.queries.runs import get_node, get_tree
from workflows_app.run_results import NodeDetail
from workflows_app.services import attempts


def find_trial(request: HttpRequest, run_id: int, node: NodeDetail) -> TryContext | None:
    """The form of the request that the URL names, filled as it was sent or as a try of it was; None without one."""
    call = parse_number(request.GET, "call", 1)
    if not 1 <= call <= len(node.calls):
        return None
    number, attempt = node.row.number, parse_number(request.GET, "attempt", 0)
    tries = queries.list_attempts(run_id, number, call=call)
    found = next((one for one in tries if one.number == attempt), None)
    sent = queries.build_sheet(run_id, node, call)
    sheet = build_sheet(sent, found) if found else sent
    return TryContext.build(run_id, node, sheet, tries, queries.list_choices(run_id))


@require_POST
def attempt_start(request: HtmxHttpRequest, run_id: int, number: int) -> HttpResponse:
    """Send the words of the form, and show the answer beside the old one; or the form as typed and what is wrong."""
    form = AttemptForm(request.POST)
    if not form.is_valid():
        return _show_again(request, run_id, get_node(run_id, number), form)
    asked = attempts.AttemptRequest(**form.cleaned_data, words=_words(form))
    attempt = jobs.start_attempt_job(run_id, number, asked, requested_by=request.user)
    again = [("tab", "try"), ("call", asked.call), ("attempt", attempt)]
    return HttpResponseRedirect(page_address("node-run-detail", run_id, number, parameters=again))


@require_safe
def attempt_list(request: HtmxHttpRequest, run_id: int, number: int) -> HttpResponse:
    """The answers alone, which refresh themselves while one is coming."""
    call = queries.get_sheet(run_id, number, parse_number(request.GET, "call", 1)).call
    tries = queries.list_attempts(run_id, number, call=call)
    context = AttemptListContext.build(run_id, get_node(run_id, number), call, tries)
    return render_page(request, "workflows_app/_attempts.html", "", context)


@require_safe
def call_curl(request: HttpRequest, run_id: int, number: int, call: int) -> HttpResponse:  # noqa: ARG001
    """A request of a node as a command for the shell, pictures included, however long it is."""
    command = format_curl(queries.get_whole_call(run_id, number, call))
    if not command:
        raise InvalidError("This request went to the built-in picker of sentences, so there is no address.")
    name = f"run-{run_id}-node-{number}-request-{call}.sh"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(command, content_type="text/plain; charset=utf-8", headers=headers)


@require_POST
def attempt_cancel(request: HtmxHttpRequest, run_id: int, number: int, attempt: int) -> HttpResponse:
    """End a try, in the middle of its answer too."""
    queries.get_attempt(run_id, number, attempt)
    attempts.cancel_attempt(run_id, number, attempt)
    return done(request, "workflows:node-run-detail", run_id, number, message="Cancelling the attempt.")


def _show_again(request: HtmxHttpRequest, run_id: int, node: NodeDetail, form: AttemptForm) -> HttpResponse:
    sent = queries.get_sheet(run_id, node.row.number, form.cleaned_data.get("call") or 1)
    typed: dict[str, Any] = {name: request.POST.get(name, "") for name in ("endpoint", "preset", "response_tokens")}
    sheet = replace(sent, **typed, words=tuple(_words(form)))
    tries = queries.list_attempts(run_id, node.row.number, call=sheet.call)
    trial = TryContext.build(run_id, node, sheet, tries, queries.list_choices(run_id))
    told = tuple(str(text) for texts in form.errors.values() for text in texts)
    context = NodeRunDetailContext.build(get_tree(run_id), node, "try", replace(trial, errors=told))
    return render_page(request, "workflows_app/node_run_detail.html", "node-pane", context, status=422)


def _words(form: AttemptForm) -> list[queries.Word]:
    words = zip(form.roles, form.texts, form.origins, strict=False)
    return [queries.Word(role, text, origin) for role, text, origin in words]
