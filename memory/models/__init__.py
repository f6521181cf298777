"""Rows of the console's own database about discussions."""

from __future__ import annotations

from memory.models.answers import KeptAnswer
from memory.models.catalogue import CHIP_FIELDS, CatalogueEntry, CatalogueProblem
from memory.models.jobs import Draft, Job
from memory.models.journal import AuditEntry, Revision, RevisionContent
from memory.models.notes import CoverageNote, FailedChunkNote, ProgressNote
from memory.models.transcripts import Transcript, TranscriptMessage

__all__ = [
    "CHIP_FIELDS",
    "AuditEntry",
    "CatalogueEntry",
    "CatalogueProblem",
    "CoverageNote",
    "Draft",
    "FailedChunkNote",
    "Job",
    "KeptAnswer",
    "ProgressNote",
    "Revision",
    "RevisionContent",
    "Transcript",
    "TranscriptMessage",
]
