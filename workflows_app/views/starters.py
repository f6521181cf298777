"""Starters: ready workflows with their settings, to begin with."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods, require_safe

from wilmer_site.lib.htmx import HtmxHttpRequest, done, render_page
from workflows_app.contexts.configs import workflow_address
from workflows_app.contexts.starters import StarterListContext, StarterStartContext
from workflows_app.forms_config_actions import StarterForm
from workflows_app.services.starters import create_starter, get_starter
from workflows_app.views.undo_notice import keep_undo


@require_safe
def starter_list(request: HtmxHttpRequest) -> HttpResponse:
    """Every starter."""
    return render_page(request, "configs/starter_list.html", "", StarterListContext.build())


@require_http_methods(["GET", "HEAD", "POST"])
def starter_start(request: HtmxHttpRequest, slug: str) -> HttpResponse:
    """Choose a name, a user, an endpoint and a preset; the files are then written."""
    starter = get_starter(slug)
    chosen = {"name": starter.slug.replace("-", " ").title().replace(" ", "_"), **request.GET.dict()}
    form = StarterForm(request.POST if request.method == "POST" else None, starter=starter, chosen=chosen)
    if not form.is_valid():
        context = StarterStartContext.build(starter, form)
        return render_page(
            request, "configs/starter_start.html", "starter-form", context, status=422 if form.is_bound else 200
        )
    change = create_starter(form.request, author=request.user.get_username())
    count = len(change.changed) + 1
    keep_undo(request, "", change, f"Wrote {count} files from the template {starter.title}.")
    message = f"Wrote {count} files. To take them back: Undo on the page Configs."
    return done(request, workflow_address(change.path), message=message)
