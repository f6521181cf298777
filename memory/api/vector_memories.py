"""The vector database of a discussion."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query, Router

from memory.api.editing import editor_of, match_version, require_count, written
from memory.api.guards import require_database
from memory.api.pages import page_object
from memory.api.registration import Reading, reads
from memory.api.requests import RefText, parse_ref
from memory.api.validators import set_last_modified, versioned
from memory.api.writing import Writing, writes
from memory.engine.versions import memory_version
from memory.queries import vector_memories as queries
from memory.schemas.asked import VectorMemoryQuery
from memory.schemas.changes import MemoryBody, MemoryRemovalBody, WrittenSchema
from memory.schemas.vectors import VectorMemoryPage, VectorMemorySchema, VectorStoreSchema
from memory.services import vector_memories_editing
from memory.services.vector_memories_editing import MemoryEdit, MemoryRemoval

router = Router()
router.add_decorator(versioned)

_TAG = "Vector memories"
MemoryId = Annotated[int, Path(ge=-(2**63), le=2**63 - 1, description="As in the database.")]


@reads(
    router,
    "/discussions/{ref}/vector-memories",
    Reading("vector-memory-list", _TAG, "List vector memories", VectorMemoryPage),
)
def list_vector_memories(
    request: HttpRequest, response: HttpResponse, ref: RefText, asked: Query[VectorMemoryQuery]
) -> Any:
    """Vector memories by id. The database is never encrypted, so no key is needed (memory.md §5)."""
    discussion = parse_ref(ref)
    store = queries.get_vector_store(discussion)
    require_database(store)
    page = queries.list_vector_memories(
        discussion, asked.page_request(), contains=asked.contains, newest_first=asked.order == "newest"
    )
    set_last_modified(response, store.report)
    return page_object(request, page, state=store.state, problem=store.problem)


# Before the address of one: the word would be taken for its number.
@writes(
    router,
    "POST",
    "/discussions/{ref}/vector-memories/delete",
    Writing("vector-memory-bulk-delete", _TAG, "Delete several vector memories", WrittenSchema, needs_match=False),
)
def delete_vector_memories(request: HttpRequest, ref: RefText, body: MemoryRemovalBody) -> Any:
    """All of them in one step or none; an id that is not there refuses the whole request."""
    discussion = parse_ref(ref)
    require_database(queries.get_vector_store(discussion))
    require_count(body.count, len(set(body.ids)))
    removal = MemoryRemoval(dict.fromkeys(body.ids), body.cut_log)
    return written(vector_memories_editing.remove_memories(editor_of(request, discussion), removal))


@reads(
    router,
    "/discussions/{ref}/vector-memories/{memory_id}",
    Reading("vector-memory", _TAG, "Get one vector memory", VectorMemorySchema),
)
def get_vector_memory(request: HttpRequest, ref: RefText, memory_id: MemoryId) -> Any:
    """One vector memory with everything that is stored of it but its vectors."""
    discussion = parse_ref(ref)
    require_database(queries.get_vector_store(discussion))
    return queries.get_vector_memory(discussion, memory_id)


@reads(
    router,
    "/discussions/{ref}/vector-store",
    Reading("vector-store", _TAG, "Get the state of the vector database", VectorStoreSchema),
)
def get_vector_store(request: HttpRequest, response: HttpResponse, ref: RefText) -> Any:
    """Counts, generation and damage. A database that cannot be read is told of, not refused."""
    store = queries.get_vector_store(parse_ref(ref))
    set_last_modified(response, store.report)
    return store


@writes(
    router,
    "POST",
    "/discussions/{ref}/vector-memories",
    Writing("vector-memory-add", _TAG, "Add a vector memory", WrittenSchema, needs_match=False, status=201),
)
def add_vector_memory(request: HttpRequest, ref: RefText, body: MemoryBody) -> Any:
    """Stored as WilmerAI stores its own; it is embedded with the next batch."""
    discussion = parse_ref(ref)
    require_database(queries.get_vector_store(discussion))
    edit = MemoryEdit(body.text, body.metadata)
    return written(vector_memories_editing.add_memory(editor_of(request, discussion), edit))


@writes(
    router,
    "PATCH",
    "/discussions/{ref}/vector-memories/{memory_id}",
    Writing("vector-memory-edit", _TAG, "Edit a vector memory", WrittenSchema),
)
def edit_vector_memory(request: HttpRequest, ref: RefText, memory_id: MemoryId, body: MemoryBody) -> Any:
    """Text, metadata and search row in one step; embeddings of every model go when the text changes."""
    discussion = parse_ref(ref)
    require_database(queries.get_vector_store(discussion))
    now = queries.get_vector_memory(discussion, memory_id)
    version = match_version(request, memory_version(now.text, now.metadata_json), theirs=now.text, yours=body.text)
    edit = MemoryEdit(body.text, body.metadata)
    editor = editor_of(request, discussion)
    return written(vector_memories_editing.change_memory(editor, memory_id, edit, version=version))


@writes(
    router,
    "DELETE",
    "/discussions/{ref}/vector-memories/{memory_id}",
    Writing("vector-memory-delete", _TAG, "Delete a vector memory", WrittenSchema),
)
def delete_vector_memory(request: HttpRequest, ref: RefText, memory_id: MemoryId, cut_log: bool = False) -> Any:
    """Gone from every table. It is not made again unless the hash log is cut back."""
    discussion = parse_ref(ref)
    require_database(queries.get_vector_store(discussion))
    now = queries.get_vector_memory(discussion, memory_id)
    version = match_version(request, memory_version(now.text, now.metadata_json), theirs=now.text)
    removal = MemoryRemoval({memory_id: version}, cut_log)
    return written(vector_memories_editing.remove_memories(editor_of(request, discussion), removal))
