"""Discussions as ZIP files."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest, StreamingHttpResponse
from django.utils.http import content_disposition_header
from ninja import File, Path, Query, Router
from ninja.decorators import decorate_view
from ninja.files import UploadedFile

from memory.api.registration import DISCUSSION_ERRORS, private
from memory.api.requests import parse_ref
from memory.api.writing import Writing, intent_of, writes
from memory.schemas.archives import ArchiveSchema, ImportBody, ImportedSchema
from memory.services import archive_imports, archives

router = Router()

_TAG = "Archives"
UploadId = Annotated[str, Path(max_length=64, description="`id` of the archive.")]
Refs = Annotated[list[str], Query(min_length=1, max_length=10_000, description="Repeat for several discussions.")]


def _writing(url_name: str, summary: str, response: Any, status: int = 200, *, has_dry_run: bool = False) -> Writing:
    return Writing(
        url_name, _TAG, summary, response, needs_match=False, has_dry_run=has_dry_run, is_keyed=False, status=status
    )


def export(request: HttpRequest, ref: Refs, history: bool = True, transcripts: bool = True) -> Any:
    """A ZIP with every file byte for byte, databases as they are at one moment, chats and history.

    It is made while it is sent. Keys are not needed: encrypted files stay as they are.
    """
    order = archives.ArchiveOrder(tuple(parse_ref(text) for text in ref), history, transcripts)
    if request.method == "HEAD":
        archives.check_order(order)
    parts = archives.export_archive(order) if request.method == "GET" else ()
    response = StreamingHttpResponse(parts, content_type="application/zip")
    response["Content-Disposition"] = content_disposition_header(True, archives.name_archive(order))
    return response


decorate_view(private)(export)
for _method, _is_listed in (("GET", True), ("HEAD", False)):
    router.api_operation(
        [_method],
        "/archive",
        response={200: None, **DISCUSSION_ERRORS},
        url_name="archive",
        operation_id="archive",
        tags=[_TAG],
        summary="Export discussions as a ZIP file",
        include_in_schema=_is_listed,
        openapi_extra={
            "responses": {200: {"content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}}}
        },
    )(export)


@writes(router, "POST", "/archives", _writing("archive-upload", "Bring in an archive", ArchiveSchema, 201))
def upload(request: HttpRequest, file: File[UploadedFile]) -> Any:
    """Look into a ZIP that an export made. Nothing is imported yet; hostile archives are refused with the reason."""
    actor = intent_of(request).actor
    upload_id = archive_imports.keep_archive(file.chunks(), name=file.name or "archive", actor=actor)
    return ArchiveSchema.build(upload_id, archive_imports.plan_or_forget(upload_id))


@writes(router, "DELETE", "/archives/{upload_id}", _writing("archive-delete", "Forget an archive", None, 204))
def forget(request: HttpRequest, upload_id: UploadId) -> Any:
    """Delete the file that was brought in. What was imported from it stays."""
    archive_imports.get_archive(upload_id)
    archive_imports.forget_archive(upload_id)
    return None


@writes(
    router,
    "POST",
    "/archives/{upload_id}/import",
    _writing("archive-import", "Import discussions of an archive", ImportedSchema, has_dry_run=True),
)
def import_archive(request: HttpRequest, upload_id: UploadId, body: ImportBody) -> Any:
    """Under its own or another id, or in the place of a discussion, which goes to the trash.

    One that cannot be imported is told with the reason, the others are; a dry run tells it from ids alone.
    """
    (path, _), intent = archive_imports.get_archive(upload_id), intent_of(request)
    if intent.is_dry_run:
        return ImportedSchema.build(archive_imports.try_import(path, body.list_choices()))
    return ImportedSchema.build(archive_imports.import_archive(path, body.list_choices(), actor=intent.actor))
