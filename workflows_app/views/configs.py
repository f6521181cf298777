"""The pages of config files: by kind, and one of them as a form."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_safe

from wilmer_site.lib.htmx import HtmxHttpRequest, render_page
from workflows_app.configs.kinds import ConfigKind
from workflows_app.contexts.config_forms import ConfigDetailContext
from workflows_app.contexts.configs import ConfigKindListContext, ConfigListContext, workflow_address
from workflows_app.contexts.memory_words import MemoryWordsContext
from workflows_app.forms_configs import find_typed_names, parse_changes, parse_kind, parse_note, parse_settings
from workflows_app.queries import configs, memory_simulation
from workflows_app.queries.config_forms import get_config_form
from workflows_app.queries.config_texts import get_masked_text, get_values
from workflows_app.services.config_form_saving import FormOutcome, save_form
from workflows_app.views.undo_notice import find_undo, say_saved


@require_safe
def config_list(request: HtmxHttpRequest) -> HttpResponse:
    """Every kind of config with its first files."""
    text = find_typed_names(request.GET)
    context = ConfigListContext.build(configs.list_kinds(text), text, undo=find_undo(request))
    return render_page(request, "configs/config_list.html", "config-kinds", context)


@require_safe
def config_kind_list(request: HtmxHttpRequest, kind: str) -> HttpResponse:
    """The files of one kind, with problems and users."""
    found, text = parse_kind(kind), find_typed_names(request.GET)
    context = ConfigKindListContext.build(found, configs.list_configs(text, found), text)
    return render_page(request, "configs/config_kind_list.html", "config-table", context)


@require_http_methods(["GET", "HEAD", "POST"])
def config_detail(request: HtmxHttpRequest, path: str) -> HttpResponse:
    """One config as a form; saving changes only what was touched."""
    if request.method != "POST":
        form = get_config_form(path)
        if form.kind is ConfigKind.WORKFLOW and form.path.startswith("Workflows/"):
            return redirect(workflow_address(path))
        return _show(request, FormOutcome(form))
    outcome = save_form(
        path,
        parse_changes(request.POST),
        author=request.user.get_username(),
        note=parse_note(request.POST),
        insist_reason=parse_note(request.POST, "insist_reason"),
    )
    if outcome.saved is None:
        return _show(request, outcome, status=409 if outcome.is_clash else 422)
    return say_saved(request, path, is_changed=outcome.saved.is_changed)


@require_http_methods(["GET", "HEAD", "POST"])
def config_simulation(request: HtmxHttpRequest, path: str) -> HttpResponse:
    """What memory settings, as typed or as saved, would make of a discussion's chat; changes nothing."""
    values, discussion = (
        parse_settings(request.POST, get_values(path)),
        parse_note(request.POST or request.GET, "discussion"),
    )
    context = _memory_words(path, values, discussion)
    return render_page(request, "configs/config_simulation.html", "simulation", context)


def _show(request: HtmxHttpRequest, outcome: FormOutcome, *, status: int = 200) -> HttpResponse:
    path, use = outcome.form.path, configs.get_config_use(outcome.form.path)
    is_memory = outcome.form.kind is ConfigKind.MEMORY_SETTINGS and not outcome.form.problem
    context = ConfigDetailContext.build(
        outcome,
        use,
        get_masked_text(path),
        memory=_memory_words(path, get_values(path), parse_note(request.GET, "discussion")) if is_memory else None,
        note=parse_note(request.POST),
        undo=find_undo(request, path),
    )
    return render_page(request, "configs/config_detail.html", "", context, status=status)


def _memory_words(path: str, values: dict[str, object], discussion: str) -> MemoryWordsContext:
    known = memory_simulation.list_discussions()
    chosen = discussion if discussion in known else ""
    found = memory_simulation.simulate_settings(values, chosen)
    return MemoryWordsContext.build(path, values, found, (known, chosen))
