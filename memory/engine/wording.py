"""Numbers with their nouns, and what files are called in a sentence."""

from __future__ import annotations

from memory.types import Artefact

FILE_NAMES = {
    Artefact.MEMORIES: "the ledger",
    Artefact.SUMMARY: "the rolling summary",
    Artefact.CONDENSATION_TRACKER: "the condensation tracker",
    Artefact.TIMESTAMPS: "the timestamps",
    Artefact.VISION_RESPONSES: "the vision cache",
    Artefact.COMPACTOR_OLD: "the old part of the compactor",
    Artefact.COMPACTOR_OLDEST: "the oldest part of the compactor",
    Artefact.STATE_DOCUMENT: "the state document",
    Artefact.STATE_DOCUMENT_BACKUP: "the backup of the state document",
    Artefact.VECTOR_MEMORY: "the vector database",
}


def format_count(number: int, singular: str, plural: str = "") -> str:
    """`1 chunk`, `2 chunks`, `1,200 memories`; the plural is the singular with an s unless it is given."""
    return f"{number:,} {singular if number == 1 else plural or f'{singular}s'}"
