"""The versions of a config file: what was when, by whom, and back to it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from wilmer_site.lib.htmx import HtmxHttpRequest, done, render_page
from workflows_app.contexts.versions import VersionDetailContext, VersionListContext
from workflows_app.forms import parse_number
from workflows_app.services import config_saving, version_looks


@require_safe
def config_versions(request: HtmxHttpRequest, path: str) -> HttpResponse:
    """Every kept content of a file, the newest first; what another program wrote meanwhile is among them."""
    context = VersionListContext.build(path, version_looks.list_known_versions(path))
    return render_page(request, "workflows_app/version_list.html", "", context)


@require_safe
def config_version(request: HtmxHttpRequest, path: str, number: int) -> HttpResponse:
    """One version, and what differs from another one."""
    against = parse_number(request.GET, "against", 0) if request.GET.get("against") else None
    context = VersionDetailContext.build(version_looks.compare_version(path, number, against))
    return render_page(request, "workflows_app/version_detail.html", "", context)


@require_POST
def config_version_name(request: HtmxHttpRequest, path: str, number: int) -> HttpResponse:
    """Give a version a name."""
    config_saving.name_version(path, number, request.POST.get("name", ""))
    return done(request, "workflows:config-version", number, path, message="The name is kept.")


@require_POST
def config_restore(request: HtmxHttpRequest, path: str, number: int) -> HttpResponse:
    """Write a version to the file again; when the file is another one by now, show what would be lost first."""
    etag = request.POST.get("etag", "")
    clash = version_looks.restore_or_review(path, number, etag=etag, author=request.user.get_username())
    if clash:
        context = VersionDetailContext.build(clash)
        return render_page(request, "workflows_app/version_detail.html", "", context, status=409)
    messages.success(request, f"Version {number} is in the file again.")
    return HttpResponseRedirect(reverse("workflows:config-edit", args=[path]))
