"""Discussions as ZIP files: made, brought in, looked at, imported."""

from __future__ import annotations

from django.http import HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_http_methods, require_safe

from memory.contexts.archives import ArchiveExportContext, ArchiveImportContext, ArchiveReviewContext
from memory.forms_archives import ArchiveForm, list_choices, parse_imports, parse_order, sent_along
from memory.forms_history import NOTHING_TICKED
from memory.services import archive_imports, archives
from memory.views.choosing import chosen_refs
from wilmer_site.lib.htmx import HtmxHttpRequest, done, render_page


@require_safe
def archive_export(request: HtmxHttpRequest) -> HttpResponse:
    """Ask what goes along with some discussions."""
    order = parse_order(request.GET, chosen_refs(request.GET))
    if not order.refs:
        return done(request, "memory:discussion-list", message=NOTHING_TICKED)
    archives.check_order(order)
    context = ArchiveExportContext.build(order, sent_along(request.GET))
    return render_page(request, "memory/archive_export.html", "archive-export", context)


@require_safe
def archive_download(request: HtmxHttpRequest) -> HttpResponseBase:
    """The ZIP, made while it is sent."""
    order = parse_order(request.GET, chosen_refs(request.GET))
    if not order.refs:
        return done(request, "memory:discussion-list", message=NOTHING_TICKED)
    response = StreamingHttpResponse(archives.export_archive(order), content_type="application/zip")
    response["Content-Disposition"] = content_disposition_header(True, archives.name_archive(order))
    response["Cache-Control"] = "no-store"
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def archive_import(request: HtmxHttpRequest) -> HttpResponse:
    """Keep the archive that was brought in and go to what is in it."""
    form = ArchiveForm(request.POST, request.FILES) if request.method == "POST" else ArchiveForm()
    if form.is_valid():
        actor = request.user.get_username()
        upload_id = archive_imports.keep_archive(form.list_parts(), name=form.name, actor=actor)
        return HttpResponseRedirect(reverse("memory:archive-review", args=[upload_id]))
    context = ArchiveImportContext.build(form)
    return render_page(
        request, "memory/archive_import.html", "archive-import", context, status=422 if form.is_bound else 200
    )


@require_http_methods(["GET", "HEAD", "POST"])
def archive_review(request: HtmxHttpRequest, upload_id: str) -> HttpResponse:
    """Show what is in an archive, and import what was chosen."""
    found = archive_imports.find_archive(upload_id)
    if found is None:
        return done(request, "memory:archive-import", message=archive_imports.GONE)
    path, name = found
    plan, problem = archive_imports.find_problem(upload_id)
    forms = parse_imports(request.POST if request.method == "POST" else None, plan.items if plan else ())
    choices = list_choices(forms)
    if choices:
        imported = archive_imports.import_archive(path, choices, actor=request.user.get_username())
        if not imported.refused:
            archive_imports.forget_archive(upload_id)
            return done(request, "memory:discussion-list", message=imported.describe())
        plan, problem = archive_imports.find_problem(upload_id)[0], imported.describe()
    context = ArchiveReviewContext.build((upload_id, name), plan, problem, forms)
    status = 422 if problem or request.method == "POST" else 200
    return render_page(request, "memory/archive_review.html", "archive-review", context, status=status)
