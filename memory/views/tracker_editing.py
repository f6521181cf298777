"""How far memory has got, set by hand."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from memory.contexts.edit_frames import tracker_frame
from memory.forms_editing import BoundaryForm, CondensationForm, RemovalForm
from memory.queries import chunks, trackers
from memory.queries.transcripts import find_message_hash
from memory.services import trackers_editing
from memory.services.editing import Editor, Outcome
from memory.types import DiscussionRef
from memory.views.editing import METHODS, Change, answer, sent
from wilmer_site.keyring import keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest, go


@require_http_methods(METHODS)
def tracker_vector_edit(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """Vector memory goes on behind another message."""
    found = trackers.get_trackers(ref, keys_of(request))
    target = found.progress[0][0].message_hash if found.progress else ""
    initial = {"target": target, "version": found.log_version}
    form = BoundaryForm.begin(sent(request), initial, find_hash=partial(find_message_hash, ref))

    def perform(editor: Editor, values: dict[str, Any]) -> Outcome:
        if not values["target"]:
            return trackers_editing.cut_log(editor, 0)
        version = values["version"] or None
        return trackers_editing.move_vector_boundary(editor, values["target"], version=version)

    return answer(request, ref, Change(tracker_frame(ref, "tracker-vector-edit"), form, perform))


@require_http_methods(METHODS)
def tracker_log_cut(request: HtmxHttpRequest, ref: DiscussionRef, number: int) -> HttpResponse:
    """Only so many of the oldest rows of the hash log stay."""
    found = trackers.get_trackers(ref, keys_of(request))
    form = RemovalForm.begin(sent(request), {"version": found.log_version})

    def perform(editor: Editor, values: dict[str, Any]) -> Outcome:
        return trackers_editing.cut_log(editor, number, version=values["version"] or None)

    return answer(request, ref, Change(tracker_frame(ref, "tracker-log-cut", number), form, perform))


@require_http_methods(METHODS)
def tracker_condensation_edit(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """Condensation goes on behind another chunk, or starts over."""
    keys = keys_of(request)
    found, total = trackers.get_trackers(ref, keys).condensation, chunks.get_ledger(ref, keys).total
    now = found.chunk_numbers[0] if found and found.chunk_numbers else 0
    form = CondensationForm.begin(sent(request), {"chunk": now}, chunks=total)

    def perform(editor: Editor, values: dict[str, Any]) -> Outcome:
        return trackers_editing.set_condensation(editor, values["chunk"] or None)

    return answer(request, ref, Change(tracker_frame(ref, "tracker-condensation-edit"), form, perform))


@require_http_methods(METHODS)
def pending_timestamp_removal(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """The time that waits for its message goes."""
    if sent(request) is None and not trackers.get_trackers(ref, keys_of(request)).has_pending_timestamp:
        return go(request, "memory:tracker-list", ref)
    form = RemovalForm.begin(sent(request), {})

    def perform(editor: Editor, values: dict[str, Any]) -> Outcome:  # noqa: ARG001
        return trackers_editing.delete_pending_timestamp(editor)

    return answer(request, ref, Change(tracker_frame(ref, "pending-timestamp-removal"), form, perform))
