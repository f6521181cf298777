"""The files of a discussion as they are on disk."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router

from memory.api.guards import require_unlocked
from memory.api.pages import page_object, whole_list
from memory.api.registration import Reading, reads
from memory.api.requests import RefText, find_keys, parse_ref
from memory.api.validators import set_last_modified, versioned
from memory.queries import files as queries
from memory.schemas.files import FilePage, FileSchema, RawFileSchema
from memory.types import Artefact

router = Router()
router.add_decorator(versioned)

_TAG = "Files"


@reads(router, "/discussions/{ref}/files", Reading("file-list", _TAG, "List the files of a discussion", FilePage))
def list_files(request: HttpRequest, ref: RefText) -> Any:
    """Every file a discussion can have, those that are absent included."""
    reports = queries.list_files(parse_ref(ref), find_keys(request))
    return page_object(request, whole_list(list(reports)))


@reads(router, "/discussions/{ref}/files/{artefact}", Reading("file", _TAG, "Get the state of one file", FileSchema))
def get_file(request: HttpRequest, response: HttpResponse, ref: RefText, artefact: Artefact) -> Any:
    """State, size, times, ETag and damage of one file; its content is not given, so a locked file is no error."""
    reports = queries.list_files(parse_ref(ref), find_keys(request))
    report = next(report for report in reports if report.artefact is artefact)
    set_last_modified(response, report)
    return report


@reads(
    router,
    "/discussions/{ref}/files/{artefact}/raw",
    Reading("file-raw", _TAG, "Get the text of one file as it is", RawFileSchema),
)
def get_raw_file(request: HttpRequest, response: HttpResponse, ref: RefText, artefact: Artefact) -> Any:
    """The text of a file, damaged or not; bytes that are no UTF-8 are replaced, a long file is cut."""
    raw = queries.get_raw_file(parse_ref(ref), artefact, find_keys(request))
    require_unlocked(raw.report)
    set_last_modified(response, raw.report)
    return raw
