"""Vector memories added, changed and deleted by hand."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from memory.contexts.edit_frames import memory_frame, memory_list_frame, new_memory_frame, shown_numbers
from memory.engine.versions import memory_version
from memory.forms_editing import parse_picked
from memory.forms_vector_memories import MemoryForm, MemoryRemovalForm
from memory.queries import vector_memories
from memory.services import vector_memories_editing
from memory.services.editing import Editor, Outcome
from memory.services.vector_memories_editing import MAX_REMOVAL, MemoryEdit, MemoryRemoval
from memory.types import DiscussionRef, VectorMemory
from memory.views.editing import METHODS, Change, answer, sent
from wilmer_site.lib.htmx import HtmxHttpRequest, go


@require_http_methods(METHODS)
def vector_memory_edit(request: HtmxHttpRequest, ref: DiscussionRef, memory_id: int) -> HttpResponse:
    """Text and metadata, in every table at once."""
    memory = vector_memories.get_vector_memory(ref, memory_id)
    initial = {**MemoryForm.describe(memory), "version": _version_of(memory)}
    form = MemoryForm.begin(sent(request), initial, memory=memory)

    def perform(editor: Editor, values: dict[str, Any]) -> Outcome:
        edit = MemoryEdit(values["text"], form.metadata())
        return vector_memories_editing.change_memory(editor, memory_id, edit, version=values["version"] or None)

    return answer(request, ref, Change(memory_frame(ref, memory_id, "edit"), form, perform))


@require_http_methods(METHODS)
def vector_memory_add(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """A new memory."""
    form = MemoryForm.begin(sent(request), {}, memory=None)

    def perform(editor: Editor, values: dict[str, Any]) -> Outcome:
        return vector_memories_editing.add_memory(editor, MemoryEdit(values.get("text") or "…", form.metadata()))

    return answer(request, ref, Change(new_memory_frame(ref), form, perform))


@require_http_methods(METHODS)
def vector_memory_removal(request: HtmxHttpRequest, ref: DiscussionRef, memory_id: int) -> HttpResponse:
    """One memory goes from every table."""
    memory = None if sent(request) else vector_memories.get_vector_memory(ref, memory_id)
    text = memory.text if memory else vector_memories.list_texts(ref, [memory_id]).get(memory_id, "")
    form = MemoryRemovalForm.begin(sent(request), {"version": _version_of(memory) if memory else ""}, total=1)

    def perform(editor: Editor, values: dict[str, Any]) -> Outcome:
        removal = MemoryRemoval({memory_id: values["version"] or None}, bool(values.get("cut_log")))
        return vector_memories_editing.remove_memories(editor, removal)

    return answer(request, ref, Change(memory_frame(ref, memory_id, "removal", text), form, perform))


@require_http_methods(METHODS)
def vector_memory_bulk_removal(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """Several memories go in one step."""
    given = request.POST or request.GET
    picked = parse_picked(given, "memory")
    if given.get("all") and not request.POST:
        picked = vector_memories.list_versions(ref, contains=given.get("contains", ""), limit=MAX_REMOVAL)
    if not picked:
        return go(request, "memory:vector-memory-list", ref)
    form = MemoryRemovalForm.begin(sent(request), {}, total=len(picked))

    def perform(editor: Editor, values: dict[str, Any]) -> Outcome:
        return vector_memories_editing.remove_memories(editor, MemoryRemoval(picked, bool(values.get("cut_log"))))

    texts = vector_memories.list_texts(ref, shown_numbers(picked))
    return answer(request, ref, Change(memory_list_frame(ref, picked, texts), form, perform))


def _version_of(memory: VectorMemory) -> str:
    return memory_version(memory.text, memory.metadata_json)
