"""Watching a run from another process: its recorded events, as they are written."""

from __future__ import annotations

import time
from collections.abc import Iterator

from workflows_app.queries.runs import MAX_EVENTS, get_state, list_events
from workflows_app.run_results import RunEventRecord
from workflows_app.services.runs import reap_stale_runs

LOOK_SECONDS = 0.2
LONGEST_SECONDS = 3600.0
KEEP_ALIVE_SECONDS = 15.0
"""So often an empty batch comes when nothing happens, so that a closed connection is noticed."""


def follow_events(run_id: int, *, after: int = 0, is_following: bool = True) -> Iterator[list[RunEventRecord]]:
    """Batches of events behind number `after` until the run is over, or one hour has passed.

    Raises RunNotFoundError before the first batch.
    """
    started = heard = time.monotonic()
    while True:
        is_over = get_state(run_id).is_over
        batch = list_events(run_id, after=after)
        if batch:
            after, heard = batch[-1].number, time.monotonic()
            yield batch
        if len(batch) == MAX_EVENTS:
            continue
        now = time.monotonic()
        if is_over or not is_following or now - started > LONGEST_SECONDS:
            return
        if now - heard > KEEP_ALIVE_SECONDS:
            heard = now
            reap_stale_runs()
            yield []
        time.sleep(LOOK_SECONDS)
