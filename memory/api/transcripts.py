"""The chat of a discussion: read, imported, hashed in another form, detached."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query, Router

from memory.api.pages import page_object
from memory.api.registration import Reading, reads
from memory.api.requests import RefText, find_keys, parse_ref
from memory.api.writing import Writing, intent_of, writes
from memory.queries import discussions, transcripts
from memory.schemas.transcripts import (
    ImportSchema,
    TranscriptMessagePage,
    TranscriptQuery,
    TranscriptRemovedSchema,
    TranscriptSchema,
    VariantIn,
    VariantOut,
)
from memory.services import transcripts as services
from memory.services.transcripts_file import FileRequest, import_file
from wilmer_site.lib.errors import InvalidError

router = Router()

_TAG = "Transcripts"
_BLOCK_BYTES = 256 * 1024
Conversation = Annotated[int | None, Query(ge=1, le=1_000_000, description="Which one of a file with several.")]
VariantName = Annotated[str, Query(max_length=60, description="The hash form; else the one that matches best.")]
Replace = Annotated[bool, Query(description="Whether messages that the file does not have are given up.")]


@reads(router, "/discussions/{ref}/transcript", Reading("transcript", _TAG, "Get a transcript", TranscriptSchema))
def get_transcript(request: HttpRequest, ref: RefText) -> Any:
    """What is known of the chat; its messages have an address of their own."""
    discussion = parse_ref(ref)
    discussions.get_header(discussion, find_keys(request))
    return TranscriptSchema.build(transcripts.get_transcript(discussion))


@reads(
    router,
    "/discussions/{ref}/transcript/messages",
    Reading("transcript-messages", _TAG, "List the messages of a transcript", TranscriptMessagePage),
)
def list_messages(request: HttpRequest, ref: RefText, asked: Query[TranscriptQuery]) -> Any:
    """Messages, oldest first; none without a transcript."""
    discussion = parse_ref(ref)
    discussions.get_header(discussion, find_keys(request))
    page = transcripts.page_messages(discussion, asked.page_request(), contains=asked.contains)
    return page_object(request, page)


@writes(
    router,
    "POST",
    "/discussions/{ref}/transcript",
    Writing("transcript-import", _TAG, "Import a chat", ImportSchema, needs_match=False),
)
def import_chat(
    request: HttpRequest,
    ref: RefText,
    conversation: Conversation = None,
    variant: VariantName = "",
    replace: Replace = False,
) -> Any:
    """The chat is the file `file` of a multipart form, or the body itself. A longer chat adds what is new."""
    intent = intent_of(request)
    name, parts = _open_body(request)
    asked = FileRequest(
        ref=parse_ref(ref),
        name=name,
        conversation=conversation,
        variant=variant,
        replaces=replace,
        is_dry_run=intent.is_dry_run,
        actor=intent.actor,
        keys=find_keys(request),
    )
    return ImportSchema.build(import_file(asked, parts))


@writes(
    router,
    "PATCH",
    "/discussions/{ref}/transcript",
    Writing("transcript-variant", _TAG, "Hash in another form", VariantOut, needs_match=False, has_dry_run=False),
)
def change_variant(request: HttpRequest, ref: RefText, asked: VariantIn) -> Any:
    """Every message is hashed anew; texts stay."""
    return {"variant": asked.variant, "messages": services.change_variant(parse_ref(ref), asked.variant)}


@writes(
    router,
    "DELETE",
    "/discussions/{ref}/transcript",
    Writing("transcript-delete", _TAG, "Detach a transcript", TranscriptRemovedSchema, needs_match=False),
)
def delete_transcript(request: HttpRequest, ref: RefText) -> Any:
    """The messages go from this console; memories and WilmerAI's files stay."""
    discussion = parse_ref(ref)
    if intent_of(request).is_dry_run:
        return {"messages": transcripts.get_transcript(discussion).message_count}
    return {"messages": services.delete_transcript(discussion)}


def _open_body(request: HttpRequest) -> tuple[str, Iterable[bytes]]:
    if request.content_type != "multipart/form-data":
        return "request body", iter(lambda: request.read(_BLOCK_BYTES), b"")
    file = request.FILES.get("file")
    if file is None or isinstance(file, list):
        raise InvalidError("Send the chat as the part `file` of the form.", field="file")
    return str(file.name), file.chunks()
