"""The vector database of a discussion."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query, Router

from memory.api.guards import require_database
from memory.api.pages import page_object
from memory.api.registration import Reading, reads
from memory.api.requests import RefText, parse_ref
from memory.api.validators import set_last_modified, versioned
from memory.queries import vector_memories as queries
from memory.schemas.asked import VectorMemoryQuery
from memory.schemas.vectors import VectorMemoryPage, VectorMemorySchema, VectorStoreSchema

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
