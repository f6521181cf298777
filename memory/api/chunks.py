"""The ledger and its chunks."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query, Router

from memory.api.editing import editor_of, match_version, require_count, written
from memory.api.guards import require_readable
from memory.api.pages import page_object, whole_list
from memory.api.registration import Reading, reads
from memory.api.requests import RefText, find_keys, parse_ref
from memory.api.validators import set_last_modified, versioned
from memory.api.writing import Writing, writes
from memory.engine.versions import chunk_version
from memory.queries import chunks as queries
from memory.queries import lost_edits
from memory.results import ApiKeys, Chunk
from memory.schemas.asked import ChunkQuery
from memory.schemas.changes import (
    ChunkRemovalBody,
    LostEditBody,
    LostEditPage,
    MergeBody,
    MoveBody,
    SplitBody,
    TextBody,
    WrittenSchema,
)
from memory.schemas.memories import ChunkPage, ChunkSchema
from memory.services import chunks_editing
from memory.services.chunks_editing import Removal, Split, merge_version_of
from memory.services.lost_edits import dismiss_lost_edit
from memory.types import DiscussionRef, Entry

router = Router()
router.add_decorator(versioned)

_TAG = "Chunks"
ChunkNumber = Annotated[int, Path(ge=1, le=2**31, description="From 1, the oldest.")]


def _writing(url_name: str, summary: str) -> Writing:
    return Writing(url_name, _TAG, summary, WrittenSchema)


@reads(router, "/discussions/{ref}/chunks", Reading("chunk-list", _TAG, "List the chunks of a ledger", ChunkPage))
def list_chunks(request: HttpRequest, response: HttpResponse, ref: RefText, asked: Query[ChunkQuery]) -> Any:
    """Chunks in order of the ledger. A ledger that cannot be read is an error, an absent one an empty page."""
    discussion, keys = parse_ref(ref), find_keys(request)
    ledger = queries.get_ledger(discussion, keys)
    require_readable(ledger.report)
    page = queries.list_chunks(
        discussion, asked.page_request(), keys, newest_first=asked.order == "newest", only=asked.only
    )
    set_last_modified(response, ledger.report)
    more = {"state": ledger.report.state, "file": ledger.report, "skipped": ledger.skipped, "counts": ledger.counts}
    return page_object(request, page, **more)


# Before the address of one: the word would be taken for its number.
@writes(router, "POST", "/discussions/{ref}/chunks/delete", _writing("chunk-bulk-delete", "Delete several chunks"))
def delete_chunks(request: HttpRequest, ref: RefText, body: ChunkRemovalBody) -> Any:
    """If-Match is the ETag of the ledger's file. When no chunk is left, say what the ledger shall be."""
    discussion, keys = parse_ref(ref), find_keys(request)
    ledger = queries.get_ledger(discussion, keys)
    require_readable(ledger.report)
    match_version(request, ledger.report.etag or "")
    numbers = sorted(set(range(1, ledger.total + 1) if body.all else body.numbers))
    require_count(body.count, len(numbers))
    seen = {number: _version_of(queries.get_chunk(discussion, number, keys)) for number in numbers}
    removal = Removal(seen, body.keep_links, body.remainder)
    return written(chunks_editing.delete_chunks(editor_of(request, discussion), removal))


@reads(router, "/discussions/{ref}/chunks/{number}", Reading("chunk", _TAG, "Get one chunk", ChunkSchema))
def get_chunk(request: HttpRequest, response: HttpResponse, ref: RefText, number: ChunkNumber) -> Any:
    """One chunk by its place in the ledger."""
    discussion, keys = parse_ref(ref), find_keys(request)
    ledger = queries.get_ledger(discussion, keys)
    require_readable(ledger.report)
    set_last_modified(response, ledger.report)
    return queries.get_chunk(discussion, number, keys)


@reads(
    router,
    "/discussions/{ref}/lost-edits",
    Reading("lost-edit-list", _TAG, "List edits that were written over", LostEditPage),
)
def list_lost_edits(request: HttpRequest, ref: RefText) -> Any:
    """Texts of chunks that were written here in the last days and went with a write of WilmerAI's."""
    edits = lost_edits.list_lost_edits(parse_ref(ref), find_keys(request))
    return page_object(request, whole_list(list(edits)))


@writes(
    router,
    "POST",
    "/discussions/{ref}/lost-edits/dismiss",
    Writing(
        "lost-edit-dismiss",
        _TAG,
        "Tell of a lost edit no more",
        None,
        needs_match=False,
        has_dry_run=False,
        status=204,
    ),
)
def dismiss_edit(request: HttpRequest, ref: RefText, body: LostEditBody) -> Any:
    """The text stays in the history."""
    dismiss_lost_edit(editor_of(request, parse_ref(ref)), body.revision_id, body.hash)


@writes(router, "PATCH", "/discussions/{ref}/chunks/{number}", _writing("chunk-edit", "Edit the text of a chunk"))
def edit_chunk(request: HttpRequest, ref: RefText, number: ChunkNumber, body: TextBody) -> Any:
    """Another text under the same hash: nothing is processed again (the hash names a message, not the text)."""
    discussion = parse_ref(ref)
    chunk = _get_chunk(discussion, number, find_keys(request))
    version = match_version(request, _version_of(chunk), theirs=chunk.text, yours=body.text)
    editor = editor_of(request, discussion)
    return written(chunks_editing.edit_chunk(editor, number, body.text, version=version))


@writes(router, "DELETE", "/discussions/{ref}/chunks/{number}", _writing("chunk-delete", "Delete a chunk"))
def delete_chunk(
    request: HttpRequest,
    ref: RefText,
    number: ChunkNumber,
    keep_links: bool = True,
    remainder: chunks_editing.Remainder | None = None,
) -> Any:
    """Deleting the newest chunk lets its messages be processed again; a chunk before leaves a hole."""
    discussion = parse_ref(ref)
    chunk = _get_chunk(discussion, number, find_keys(request))
    version = match_version(request, _version_of(chunk), theirs=chunk.text)
    removal = Removal({number: version}, keep_links, remainder)
    return written(chunks_editing.delete_chunks(editor_of(request, discussion), removal))


@writes(
    router,
    "POST",
    "/discussions/{ref}/chunks/{number}/merge",
    _writing("chunk-merge", "Merge a chunk with the next newer one"),
)
def merge_chunks(request: HttpRequest, ref: RefText, number: ChunkNumber, body: MergeBody) -> Any:
    """One chunk with the hash of the newer. If-Match is both versions joined by a full stop."""
    discussion, keys = parse_ref(ref), find_keys(request)
    both = [_get_chunk(discussion, at, keys) for at in (number, number + 1)]
    version = match_version(request, merge_version_of(*(Entry(chunk.text, chunk.hash) for chunk in both)))
    editor = editor_of(request, discussion)
    return written(chunks_editing.merge_chunks(editor, number, body.text, version=version))


@writes(router, "POST", "/discussions/{ref}/chunks/{number}/split", _writing("chunk-split", "Split a chunk"))
def split_chunk(request: HttpRequest, ref: RefText, number: ChunkNumber, body: SplitBody) -> Any:
    """The second part keeps the hash; the first gets that of a message inside the chunk."""
    discussion = parse_ref(ref)
    chunk = _get_chunk(discussion, number, find_keys(request))
    version = match_version(request, _version_of(chunk), theirs=chunk.text)
    split = Split(body.position, body.first_hash)
    return written(chunks_editing.split_chunk(editor_of(request, discussion), number, split, version=version))


@writes(router, "POST", "/discussions/{ref}/chunks/{number}/move", _writing("chunk-move", "Move a chunk"))
def move_chunk(request: HttpRequest, ref: RefText, number: ChunkNumber, body: MoveBody) -> Any:
    """A chunk moves together with its hash; links that no longer fit move to the entry before."""
    discussion = parse_ref(ref)
    chunk = _get_chunk(discussion, number, find_keys(request))
    version = match_version(request, _version_of(chunk), theirs=chunk.text)
    return written(chunks_editing.move_chunk(editor_of(request, discussion), number, body.by, version=version))


def _get_chunk(discussion: DiscussionRef, number: int, keys: ApiKeys) -> Chunk:
    require_readable(queries.get_ledger(discussion, keys).report)
    return queries.get_chunk(discussion, number, keys)


def _version_of(chunk: Chunk) -> str:
    return chunk_version(Entry(chunk.text, chunk.hash))
