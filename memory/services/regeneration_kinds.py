"""Which code makes which kind anew."""

from __future__ import annotations

from memory.engine.regeneration import Kind
from memory.services.regeneration_chunks import ChunkRegenerator
from memory.services.regeneration_condensing import CondensingRegenerator
from memory.services.regeneration_ledger import LedgerRegenerator
from memory.services.regeneration_site import Regenerator
from memory.services.regeneration_state import StateDocumentRegenerator
from memory.services.regeneration_summary import SummaryRegenerator
from memory.services.regeneration_vectors import VectorRegenerator

_KINDS: dict[Kind, Regenerator] = {
    Kind.CHUNKS: ChunkRegenerator(),
    Kind.FROM_MESSAGE: LedgerRegenerator(),
    Kind.EVERYTHING: LedgerRegenerator(),
    Kind.CONDENSE: CondensingRegenerator(),
    Kind.SUMMARY: SummaryRegenerator(),
    Kind.STATE_DOCUMENT: StateDocumentRegenerator(),
    Kind.VECTOR_MEMORIES: VectorRegenerator(),
}


def regenerator_of(kind: Kind) -> Regenerator:
    """The code of a kind that has drafts."""
    return _KINDS[kind]
