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


def _writing(url_name: str, summary: str, response: Any, status: int = 200) -> Writing:
    return Writing(
        url_name, _TAG, summary, response, needs_match=False, has_dry_run=False, is_keyed=False, status=status
    )


def export(request: HttpRequest, ref: Refs, history: bool = True, transcripts: bool = True) -> Any:
    """A ZIP with every file byte for byte, databases as they are at one moment, chats and history.

    It is made while it is sent. Keys are not needed: encrypted files stay as they are.
    """
    order = archives.ArchiveOrder(tuple(parse_ref(text) for text in ref), history, transcripts)
    response = StreamingHttpResponse(archives.export_archive(order), content_type="application/zip")
    response["Content-Disposition"] = content_disposition_header(True, archives.name_archive(order))
    return response


decorate_view(private)(export)
router.api_operation(
    ["GET"],
    "/archive",
    response={200: None, **DISCUSSION_ERRORS},
    url_name="archive",
    operation_id="archive",
    tags=[_TAG],
    summary="Export discussions as a ZIP file",
    openapi_extra={
        "responses": {200: {"content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}}}
    },
)(export)


@writes(router, "POST", "/archives", _writing("archive-upload", "Bring in an archive", ArchiveSchema, 201))
def upload(request: HttpRequest, file: File[UploadedFile]) -> Any:
    """Look into a ZIP that an export made. Nothing is imported yet; hostile archives are refused with the reason."""
    actor = intent_of(request).actor
    upload_id = archive_imports.keep_archive(file.chunks(), name=file.name or "archive", actor=actor)
    return ArchiveSchema.build(upload_id, archive_imports.plan_import(archive_imports.get_archive(upload_id)[0]))


@writes(
    router,
    "POST",
    "/archives/{upload_id}/import",
    _writing("archive-import", "Import discussions of an archive", ImportedSchema),
)
def import_archive(request: HttpRequest, upload_id: UploadId, body: ImportBody) -> Any:
    """Under its own or another id, or in the place of a discussion, which goes to the trash."""
    path, _ = archive_imports.get_archive(upload_id)
    done = archive_imports.import_archive(path, body.list_choices(), actor=intent_of(request).actor)
    return ImportedSchema.build(done)
