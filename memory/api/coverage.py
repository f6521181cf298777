"""The chat beside the memory: X-ray, why memory runs, what other thresholds would do, what nodes would return."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Field, Query, Router, Schema

from memory.api.chunks import ChunkNumber
from memory.api.pages import page_object
from memory.api.registration import Reading, reads
from memory.api.requests import RefText, find_keys, parse_ref
from memory.api.vector_memories import MemoryId
from memory.engine.coverage import Trouble
from memory.engine.explanations import WhatIf
from memory.engine.previews import PreviewRequest
from memory.engine.triggers import WriterPath
from memory.queries import coverage as queries
from memory.queries import previews
from memory.queries.origins import find_origin_evidence
from memory.queries.transcripts import list_messages
from memory.schemas.asked import AskedText, PageQuery
from memory.schemas.coverage import (
    CoveragePage,
    CoveredMessagePage,
    OriginAnswer,
    OriginSchema,
    PreviewListSchema,
    SimulationSchema,
    WhySchema,
)
from memory.services import explaining

router = Router()

_TAG = "Coverage"
MAX_THRESHOLD = 1_000_000


class CoverageQuery(PageQuery):
    """Which chunks of an X-ray."""

    only: Trouble | None = Field(None, description="Only chunks with this trouble.")


class ThresholdQuery(Schema):
    """Thresholds to try; what the settings say where none is given."""

    path: WriterPath | None = Field(None, description="Else the one that the settings use.")
    size: int | None = Field(None, ge=1, le=MAX_THRESHOLD, description="Tokens a chunk.")
    messages: int | None = Field(None, ge=1, le=MAX_THRESHOLD, description="Messages between chunks.")
    lookback: int | None = Field(None, ge=0, le=MAX_THRESHOLD, description="Newest messages left out.")

    def what_if(self) -> WhatIf:
        """The same with everything filled in."""
        now = explaining.get_present_thresholds(self.path)
        return WhatIf(
            now.path,
            now.chunk_size if self.size is None else self.size,
            now.max_messages if self.messages is None else self.messages,
            now.lookback if self.lookback is None else self.lookback,
        )


class PreviewQuery(Schema):
    """What the nodes are given."""

    keywords: AskedText = Field("", max_length=20_000, description="For the search nodes; without, they are left out.")
    chunks: int = Field(3, ge=-1, le=10_000, description="Recent memories: 0 means 3, -1 all.")
    limit: int = Field(5, ge=1, le=100, description="Results of the vector search.")


@reads(router, "/discussions/{ref}/coverage", Reading("coverage", _TAG, "Lay the chat beside the memory", CoveragePage))
def get_coverage(request: HttpRequest, ref: RefText, asked: Query[CoverageQuery]) -> Any:
    """How far each layer reaches, and every chunk with its messages, newest first. 404 without a transcript."""
    discussion, keys = parse_ref(ref), find_keys(request)
    coverage = queries.get_coverage(discussion, keys)
    page = queries.list_covered(coverage, asked.page_request(), only=asked.only)
    return page_object(request, page, **CoveragePage.facts(coverage))


@reads(
    router,
    "/discussions/{ref}/chunks/{number}/messages",
    Reading("chunk-messages", _TAG, "List the messages a chunk was made from", CoveredMessagePage),
)
def list_chunk_messages(request: HttpRequest, ref: RefText, number: ChunkNumber, asked: Query[PageQuery]) -> Any:
    """The messages between the chunk before and this one's hash. 404 without a transcript."""
    discussion, keys = parse_ref(ref), find_keys(request)
    covered = queries.get_covered(discussion, number, keys)
    page = queries.page_covered_messages(covered, asked.page_request())
    lines = list_messages(discussion, page.items[0], page.items[-1] + 1) if page.items else ()
    return page_object(request, page, chunk=covered) | {"items": lines}


@reads(
    router,
    "/discussions/{ref}/vector-memories/{memory_id}/origin",
    Reading("memory-origin", _TAG, "Find the messages of a vector memory", OriginAnswer),
)
def get_memory_origin(request: HttpRequest, ref: RefText, memory_id: MemoryId) -> Any:
    """Which messages it probably came from, how sure that is, and why."""
    weighed = find_origin_evidence(parse_ref(ref), memory_id, find_keys(request))
    return {"origin": OriginSchema.build(weighed) if weighed else None}


@reads(router, "/discussions/{ref}/why", Reading("why", _TAG, "Explain whether memory runs", WhySchema))
def get_why(request: HttpRequest, ref: RefText) -> Any:
    """What the next turn would decide, rule by rule. 404 without a transcript."""
    return WhySchema.build(explaining.get_why(parse_ref(ref), find_keys(request)))


@reads(router, "/discussions/{ref}/simulation", Reading("simulation", _TAG, "Try other thresholds", SimulationSchema))
def get_simulation(request: HttpRequest, ref: RefText, asked: Query[ThresholdQuery]) -> Any:
    """What memory would have made of the whole chat; no model is asked. 404 without a transcript."""
    tried = asked.what_if()
    return SimulationSchema.build(tried, explaining.get_simulation(parse_ref(ref), tried))


@reads(router, "/discussions/{ref}/previews", Reading("previews", _TAG, "Preview what nodes return", PreviewListSchema))
def list_previews(request: HttpRequest, ref: RefText, asked: Query[PreviewQuery]) -> Any:
    """The exact text of each node that reads memory."""
    wanted = PreviewRequest(max_chunks=asked.chunks, keywords=asked.keywords, limit=asked.limit)
    return {"previews": previews.list_previews(parse_ref(ref), find_keys(request), wanted)}
