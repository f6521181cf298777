"""Chunks changed by hand."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memory.contexts.edit_frames import chunk_frame, chunk_list_frame, shown_numbers
from memory.contexts.lost_edits import LostEditListContext
from memory.engine.versions import chunk_version
from memory.forms_editing import (
    BY_HAND,
    SHARED,
    ChunkMergeForm,
    ChunkMoveForm,
    ChunkRemovalForm,
    ChunkSplitForm,
    ChunkTextForm,
    parse_picked,
    parse_revision,
)
from memory.queries import chunks, discussions
from memory.queries.lost_edits import find_lost_edit, list_lost_edits
from memory.queries.split_places import list_split_places
from memory.results import Chunk
from memory.services import chunks_editing
from memory.services.chunks_editing import Remainder, Removal, Split, merge_version_of
from memory.services.editing import Editor, Outcome
from memory.services.lost_edits import dismiss_lost_edit
from memory.types import DiscussionRef, Entry
from memory.views.editing import METHODS, Change, answer, sent
from wilmer_site.keyring import keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest, go, render_page, wants_fragment


@require_http_methods(METHODS)
def chunk_edit(request: HtmxHttpRequest, ref: DiscussionRef, number: int) -> HttpResponse:
    """Another text under the same hash."""
    data, keys = sent(request), keys_of(request)
    chunk = None if data else chunks.get_chunk(ref, number, keys)
    lost = find_lost_edit(ref, keys, parse_revision(request.GET), number) if chunk else None
    text = lost.text if lost else chunk.text if chunk else ""
    form = ChunkTextForm.begin(data, {"text": text, "version": _version_of(chunk)} if chunk else {})

    def perform(editor: Editor, values: dict[str, Any]) -> Outcome:
        return chunks_editing.edit_chunk(editor, number, values["text"], version=values["version"] or None)

    original = chunk.text if chunk and lost else ""
    return answer(request, ref, Change(chunk_frame(ref, number, "edit", original), form, perform))


@require_safe
def lost_edit_list(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """Edits that another program wrote over."""
    return _tell_lost_edits(request, ref)


@require_POST
def lost_edit_forget(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """One of them is told of no more."""
    editor = Editor(ref, request.user.get_username(), keys_of(request))
    dismiss_lost_edit(editor, parse_revision(request.POST), request.POST.get("hash", ""))
    return _tell_lost_edits(request, ref) if wants_fragment(request) else go(request, "memory:lost-edit-list", ref)


@require_http_methods(METHODS)
def chunk_merge(request: HtmxHttpRequest, ref: DiscussionRef, number: int) -> HttpResponse:
    """One chunk out of this one and the next newer one."""
    data, keys = sent(request), keys_of(request)
    if data is None and number >= chunks.get_ledger(ref, keys).total:
        return go(request, "memory:chunk-list", ref)
    both = () if data else tuple(chunks.get_chunk(ref, at, keys) for at in (number, number + 1))
    entries = [Entry(chunk.text, chunk.hash) for chunk in both]
    initial = {"text": "\n".join(entry.text for entry in entries)}
    form = ChunkMergeForm.begin(data, {**initial, "version": merge_version_of(*entries)} if both else {})

    def perform(editor: Editor, values: dict[str, Any]) -> Outcome:
        version = values["version"] or None
        return chunks_editing.merge_chunks(editor, number, values["text"], version=version)

    return answer(request, ref, Change(chunk_frame(ref, number, "merge"), form, perform))


@require_http_methods(METHODS)
def chunk_split(request: HtmxHttpRequest, ref: DiscussionRef, number: int) -> HttpResponse:
    """Two chunks, cut at a character."""
    chunk = chunks.get_chunk(ref, number, keys_of(request))
    places = list_split_places(ref, number, keys_of(request))
    place = places[len(places) // 2].hash if places else SHARED
    initial = {"position": max(1, len(chunk.text) // 2), "place": place, "version": _version_of(chunk)}
    form = ChunkSplitForm.begin(sent(request), initial, text=chunk.text, places=places)

    def perform(editor: Editor, values: dict[str, Any]) -> Outcome:
        given = {SHARED: chunk.hash, BY_HAND: values.get("first_hash", "")}
        split = Split(values["position"], given.get(values["place"], values["place"]))
        return chunks_editing.split_chunk(editor, number, split, version=values["version"] or None)

    return answer(request, ref, Change(chunk_frame(ref, number, "split", chunk.text), form, perform))


@require_http_methods(METHODS)
def chunk_move(request: HtmxHttpRequest, ref: DiscussionRef, number: int) -> HttpResponse:
    """A chunk changes places with its neighbour."""
    chunk, total = chunks.get_chunk(ref, number, keys_of(request)), chunks.get_ledger(ref, keys_of(request)).total
    if total == 1:
        return go(request, "memory:chunk-list", ref)
    initial = {"by": -1 if number == total else 1, "version": _version_of(chunk)}
    form = ChunkMoveForm.begin(sent(request), initial)

    def perform(editor: Editor, values: dict[str, Any]) -> Outcome:
        return chunks_editing.move_chunk(editor, number, values["by"], version=values["version"] or None)

    return answer(request, ref, Change(chunk_frame(ref, number, "move"), form, perform))


@require_http_methods(METHODS)
def chunk_removal(request: HtmxHttpRequest, ref: DiscussionRef, number: int) -> HttpResponse:
    """One chunk is deleted."""
    data = sent(request)
    ledger = chunks.get_ledger(ref, keys_of(request))
    chunk = None if data else chunks.get_chunk(ref, number, keys_of(request))
    initial = {"keep_links": True, "version": _version_of(chunk) if chunk else ""}
    form = ChunkRemovalForm.begin(data, initial, total=1, ledger=ledger.total)

    def perform(editor: Editor, values: dict[str, Any]) -> Outcome:
        return _remove(editor, {number: values["version"] or None}, values)

    text = chunks.list_texts(ref, [number], keys_of(request)).get(number, "")
    return answer(request, ref, Change(chunk_frame(ref, number, "removal", text), form, perform))


@require_http_methods(METHODS)
def chunk_bulk_removal(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """Several chunks are deleted, or all."""
    given, total = request.POST or request.GET, chunks.get_ledger(ref, keys_of(request)).total
    picked = parse_picked(given, "number")
    if given.get("all") and not request.POST:
        picked = chunks.list_versions(ref, keys_of(request))
    if not picked:
        return go(request, "memory:chunk-list", ref)
    form = ChunkRemovalForm.begin(sent(request), {"keep_links": True}, total=len(picked), ledger=total)

    def perform(editor: Editor, values: dict[str, Any]) -> Outcome:
        return _remove(editor, picked, values)

    texts = chunks.list_texts(ref, shown_numbers(picked), keys_of(request))
    return answer(request, ref, Change(chunk_list_frame(ref, picked, texts), form, perform))


def _tell_lost_edits(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    header = discussions.get_header(ref, keys_of(request))
    context = LostEditListContext.build(header, list_lost_edits(ref, keys_of(request)))
    return render_page(request, "memory/lost_edit_list.html", "lost-edits", context)


def _remove(editor: Editor, versions: dict[int, str | None], values: dict[str, Any]) -> Outcome:
    remainder = Remainder(values["remainder"]) if values.get("remainder") else None
    return chunks_editing.delete_chunks(editor, Removal(versions, values["keep_links"], remainder))


def _version_of(chunk: Chunk) -> str:
    return chunk_version(Entry(chunk.text, chunk.hash))
