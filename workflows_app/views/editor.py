"""Editing workflows and other configs: one document as cards, form and JSON. The page holds it, not the server."""

from __future__ import annotations

from dataclasses import replace

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from wilmer_site.keyring import keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest
from workflows_app import jobs
from workflows_app.contexts.editor import EditorContext, EditorLive
from workflows_app.contexts.editor_clash import ClashContext
from workflows_app.contexts.editor_looks import LookContext
from workflows_app.forms import parse_change, parse_editor, parse_marks, parse_operation
from workflows_app.queries import editing
from workflows_app.services import dry_runs, editor_opening, editor_saving
from workflows_app.services.editor_saving import SaveOutcome, Signature


@require_http_methods(["GET", "HEAD", "POST"])
def config_edit(request: HtmxHttpRequest, path: str) -> HttpResponse:
    """The editor with the file's text; with POST with the text that is posted, which is not saved."""
    if request.method == "POST":
        opened = parse_editor(request.POST, path, keys_of(request))
    else:
        opened = editor_opening.open_file(path, request.GET, keys_of(request))
    return _show(request, opened)


@require_POST
def config_change(request: HtmxHttpRequest, path: str) -> HttpResponse:
    """One step of editing: the new text, cards, form and problems. Nothing is saved."""
    asked = parse_editor(request.POST, path, keys_of(request))
    outcome = editor_saving.take_step(asked, parse_operation(request.POST, path))
    look = editing.look_at(editor_opening.with_step(asked, outcome.edited))
    live = EditorLive.build(
        look,
        said=outcome.edited.said,
        error=outcome.error,
        error_field=outcome.error_field,
        known=parse_marks(request.POST),
    )
    change = parse_change(request.POST, asked.text, outcome.edited.text)
    return render(request, "workflows_app/_editor_step.html", {"live": live, "page": {"live": live}, "change": change})


@require_POST
def config_look(request: HtmxHttpRequest, path: str) -> HttpResponse:
    """The variables of a node with their values, or what it would give now."""
    asked = parse_editor(request.POST, path, keys_of(request))
    if request.POST.get("what") == "returns":
        context = LookContext(returned=editing.get_returned(asked))
    else:
        context = LookContext(groups=editing.list_variables(asked))
    return render(request, "workflows_app/_editor_look.html", {"page": context})


@require_POST
def config_save(request: HtmxHttpRequest, path: str) -> HttpResponse:
    """Save the text and go on editing; errors and changes made meanwhile are a question."""
    asked = parse_editor(request.POST, path, keys_of(request))
    signature = Signature(
        request.user.get_username(), request.POST.get("note", "")[:500], request.POST.get("insist_reason", "")[:500]
    )
    outcome = editor_saving.save_edited(asked, signature)
    if outcome.clash:
        return render(
            request, "workflows_app/editor_clash.html", {"page": ClashContext.build(outcome.clash)}, status=409
        )
    if outcome.is_gone:
        asked = replace(asked, etag="")
    if outcome.saved is None:
        return _show(request, asked, outcome, signature, status=422)
    messages.success(
        request, f"Saved as version {outcome.saved.version}." if outcome.saved.version else "Nothing had changed."
    )
    place = urlencode([("node", str(asked.node + 1)), ("user", asked.user), ("discussion", asked.discussion)])
    return HttpResponseRedirect(f"{reverse('workflows:config-edit', args=[path])}?{place}")


@require_POST
def config_dry_run(request: HtmxHttpRequest, path: str) -> HttpResponse:
    """Run the text as it is, on a copy of the chosen discussion, and go to the run."""
    asked = parse_editor(request.POST, path, keys_of(request))
    run = dry_runs.build_dry_run(asked.bench, asked.text)
    run_id = jobs.start_run_job(run, requested_by=request.user, keys=keys_of(request))
    return HttpResponseRedirect(reverse("workflows:run-detail", args=[run_id]))


@require_safe
def config_schema(request: HtmxHttpRequest, path: str) -> JsonResponse:  # noqa: ARG001
    """Keys and values that the JSON of such a file may have, for completion."""
    return JsonResponse(editing.list_completions(path))


def _show(
    request: HtmxHttpRequest,
    asked: editing.EditorRequest,
    outcome: SaveOutcome | None = None,
    signature: Signature | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    live = EditorLive.build(editing.look_at(asked))
    context = EditorContext.build(live, editor_opening.surroundings(asked.path), outcome, signature)
    return render(request, "workflows_app/editor.html", {"page": context, "live": live}, status=status)
