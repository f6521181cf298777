"""The chunks that a condensed one was made from."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from memory.api.chunks import ChunkNumber
from memory.api.editing import editor_of, match_version, written
from memory.api.registration import Reading, reads
from memory.api.requests import RefText, find_keys, parse_ref
from memory.api.writing import Writing, writes
from memory.schemas.base import Text
from memory.schemas.changes import WrittenSchema
from memory.services.editing import Editor
from memory.services.uncondensing import get_originals, uncondense

router = Router()

_TAG = "Chunks"


class OriginalSchema(Schema):
    """One chunk as it was."""

    text: Text
    hash: str


class OriginalsSchema(Schema):
    """What a condensed chunk was made from."""

    number: int
    version: str = Field(description="Of the chunk as it is now, for If-Match.")
    entries: list[OriginalSchema]
    revision_id: int
    at: datetime
    actor: Text


@reads(
    router,
    "/discussions/{ref}/chunks/{number}/originals",
    Reading("chunk-originals", _TAG, "Tell what a chunk was condensed from", OriginalsSchema),
)
def list_originals(request: HttpRequest, ref: RefText, number: ChunkNumber) -> Any:
    """From the history; 404 when it does not reach back."""
    return get_originals(Editor(parse_ref(ref), "", find_keys(request)), number)


@writes(
    router,
    "POST",
    "/discussions/{ref}/chunks/{number}/uncondense",
    Writing("chunk-uncondense", _TAG, "Put back what a chunk was condensed from", WrittenSchema),
)
def put_back(request: HttpRequest, ref: RefText, number: ChunkNumber) -> Any:
    """In the place of the chunk; summary and condensation tracker stay linked. If-Match is the chunk's version."""
    discussion = parse_ref(ref)
    originals = get_originals(Editor(discussion, "", find_keys(request)), number)
    version = match_version(request, originals.version, theirs=originals.condensed.text)
    return written(uncondense(editor_of(request, discussion), number, version=version))
