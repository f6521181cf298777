"""The files of one discussion as they are on disk."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from memory.contexts.files import FileDetailContext, FileListContext
from memory.forms import parse_line
from memory.queries import discussions, files
from memory.types import Artefact, DiscussionRef
from wilmer_site.keyring import keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest, render_page


@require_safe
def file_list(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """Every file with its state, size, mode, age and version."""
    keys = keys_of(request)
    header = discussions.get_header(ref, keys)
    context = FileListContext.build(header, files.list_files(ref, keys))
    return render_page(request, "memory/file_list.html", "file-table", context)


@require_safe
def file_detail(request: HtmxHttpRequest, ref: DiscussionRef, artefact: Artefact) -> HttpResponse:
    """One file raw, with the place of its damage when there is any."""
    keys, line = keys_of(request), parse_line(request.GET)
    header = discussions.get_header(ref, keys)
    context = FileDetailContext.build(header, files.get_raw_file(ref, artefact, keys), line)
    return render_page(request, "memory/file_detail.html", "raw-file", context)
