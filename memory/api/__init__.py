"""The REST API of memory: everything the pages show, as JSON. Mounted below /api/v1 by `wilmer_site.api`."""

from __future__ import annotations

from ninja import Router

from memory.api import (
    archives,
    audit,
    chunks,
    coverage,
    discussions,
    files,
    health,
    history,
    jobs,
    moving,
    originals,
    overview,
    regeneration,
    repairs,
    search,
    summaries,
    trackers,
    transcripts,
    trash,
    vector_memories,
)

router = Router()
"""Every operation of this app."""

for _module in (
    overview,
    discussions,
    files,
    chunks,
    coverage,
    summaries,
    vector_memories,
    trackers,
    transcripts,
    search,
    health,
    history,
    trash,
    moving,
    archives,
    repairs,
    originals,
    audit,
    jobs,
    regeneration,
):
    router.add_router("", _module.router)
