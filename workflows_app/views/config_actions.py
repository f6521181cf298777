"""Config files made, copied, renamed, deleted, and all of it undone."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from wilmer_site.lib.htmx import HtmxHttpRequest, done, render_page
from workflows_app.contexts.addresses import page_address
from workflows_app.contexts.config_actions import ConfigActionContext
from workflows_app.contexts.config_new import ConfigNewContext
from workflows_app.contexts.configs import config_address
from workflows_app.forms_config_actions import CopyForm, NewConfigForm, RenameForm
from workflows_app.queries.config_plans import plan_delete
from workflows_app.queries.configs import ConfigEntry, get_config_use
from workflows_app.queries.references import get_reference_map
from workflows_app.services.blank_configs import create_blank
from workflows_app.services.config_files import copy_config, delete_everywhere, rename_everywhere, undo_change
from workflows_app.services.config_saving import read_config
from workflows_app.views.undo_notice import forget_undo, go_on

_TEMPLATES = {name: f"configs/{name.replace('-', '_')}.html" for name in ("config-copy", "config-rename")}


@require_http_methods(["GET", "HEAD", "POST"])
def config_new(request: HtmxHttpRequest) -> HttpResponse:
    """A new file of some kind, begun from what the kind needs."""
    form = NewConfigForm(request.POST if request.method == "POST" else None, chosen=request.GET)
    if form.is_valid():
        change = create_blank(form.request, author=request.user.get_username())
        return go_on(request, change, f"Made {change.path}.")
    status = 422 if form.is_bound else 200
    return render_page(request, "configs/config_new.html", "", ConfigNewContext.build(form), status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def config_copy(request: HtmxHttpRequest, path: str) -> HttpResponse:
    """A copy under another name in the same folder."""
    entry = get_config_use(path).entry
    form = CopyForm(request.POST if request.method == "POST" else None, path=path, name=f"{entry.name} copy")
    if form.is_valid():
        change = copy_config(path, form.name_typed, author=request.user.get_username())
        return go_on(request, change, f"Copied {path} to {change.path}.")
    return _ask(request, "config-copy", entry, form)


@require_http_methods(["GET", "HEAD", "POST"])
def config_rename(request: HtmxHttpRequest, path: str) -> HttpResponse:
    """Another name, followed by everything that names the file; `?name=` shows what would be written."""
    entry = get_config_use(path).entry
    form = RenameForm(request.POST if request.method == "POST" else request.GET or None, path=path, name=entry.name)
    if form.is_valid() and request.method == "POST" and form.is_agreed:
        author, etag, is_meant = request.user.get_username(), form.cleaned_data["etag"], form.is_meant
        change = rename_everywhere(path, form.name_typed, expected_etag=etag, author=author, is_breaking_meant=is_meant)
        others = f"; {len(change.changed)} other files follow" if change.changed else ""
        return go_on(request, change, f"Renamed {path} to {change.path}{others}.")
    return _ask(request, "config-rename", entry, form)


@require_safe
def config_removal(request: HtmxHttpRequest, path: str) -> HttpResponse:
    """What would break without the file."""
    entry = get_config_use(path).entry
    context = ConfigActionContext.build("config-delete", entry, etag=read_config(path).etag)
    return render_page(request, "configs/config_removal.html", "", context.with_removal(plan_delete(path)))


@require_POST
def config_delete(request: HtmxHttpRequest, path: str) -> HttpResponse:
    """Delete the file; its versions stay."""
    is_meant = request.POST.get("is_breaking_meant") == "on"
    etag, author = request.POST.get("etag", ""), request.user.get_username()
    change = delete_everywhere(path, expected_etag=etag, author=author, is_breaking_meant=is_meant)
    return go_on(request, change, f"Deleted {path}.", is_gone=True)


@require_POST
def config_undo(request: HtmxHttpRequest) -> HttpResponse:
    """Take the last change back."""
    paths = undo_change(request.POST.get("token", ""), author=request.user.get_username())
    forget_undo(request)
    there = [path for path in paths if path in get_reference_map().files]
    return done(request, config_address(there[0]) if there else page_address("config-list"), message="Taken back.")


def _ask(request: HtmxHttpRequest, action: str, entry: ConfigEntry, form: CopyForm) -> HttpResponse:
    etag = read_config(entry.path).etag
    context = ConfigActionContext.build(action, entry, name=form.shown_name, etag=etag)
    context = context.with_rename(form.plan, form.obstacles)
    status = 422 if request.method == "POST" else 200
    return render_page(request, _TEMPLATES[action], "", context, status=status)
