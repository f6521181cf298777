"""The queue of jobs in a real Redis and a real PostgreSQL: WILMER_JOBS_URL."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.services.servers import run_manage

CARRY = """
from wilmer_site.jobs_queue import build_consumer, check_queue, queue

check_queue(queue)
print(type(queue).__name__)
answer = queue.task()(lambda number: number + 1)(41)
print(queue.pending_count())
consumer = build_consumer(queue)
consumer.start()
print(answer.get(blocking=True, timeout=60))
consumer.stop(graceful=True)
"""


@pytest.mark.parametrize(("store", "kind"), [("redis", "RedisHuey"), ("postgresql", "PostgresHuey")])
def test_queue_carries_a_task_to_a_consumer(
    request: pytest.FixtureRequest, tmp_path: Path, store: str, kind: str
) -> None:
    place = {"WILMER_STATE_DIR": str(tmp_path), "WILMER_JOBS_URL": request.getfixturevalue(store)}
    run_manage({**os.environ, **place}, "migrate", "-v", "0")

    lines = run_manage({**os.environ, **place}, "shell", "-v", "0", "-c", CARRY)

    assert lines == [kind, "1", "42"]
    assert not (tmp_path / "jobs.sqlite3").exists()
