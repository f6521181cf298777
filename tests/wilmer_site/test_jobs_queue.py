from __future__ import annotations

from pathlib import Path

import pytest
from huey import RedisHuey, SqliteHuey

from wilmer_site.jobs_queue import build_consumer, build_queue, check_queue
from wilmer_site.lib.env import SettingError


def test_sqlite_queue_carries_a_task_to_a_consumer(tmp_path: Path) -> None:
    queue = build_queue(f"sqlite:///{tmp_path / 'jobs.sqlite3'}")
    answer = queue.task()(lambda number: number + 1)(41)
    consumer = build_consumer(queue)

    consumer.start()
    try:
        assert answer.get(blocking=True, timeout=30) == 42
    finally:
        consumer.stop(graceful=True)
        queue.storage.close()

    assert isinstance(queue, SqliteHuey)
    assert (tmp_path / "jobs.sqlite3").exists()


def test_redis_address_gives_a_redis_queue() -> None:
    assert isinstance(build_queue("redis://127.0.0.1:6379/3"), RedisHuey)


def test_missing_driver_is_told_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huey.storage.psycopg", None)

    with pytest.raises(SettingError, match=r"pip install '\.\[postgres\]'"):
        build_queue("postgresql://nobody@127.0.0.1/x")


def test_unreachable_postgresql_is_told() -> None:
    with pytest.raises(
        SettingError, match=r"^WILMER_JOBS_URL must name a queue that can be used; .*Connection refused\.?$"
    ):
        build_queue("postgresql://nobody@127.0.0.1:1/x?connect_timeout=2")


def test_file_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="WILMER_JOBS_URL must name a queue that can be used; unable to open"):
        build_queue(f"sqlite:///{tmp_path}/absent/jobs.sqlite3")


def test_redis_that_does_not_answer_is_told() -> None:
    with pytest.raises(SettingError, match=r"^WILMER_JOBS_URL must name a queue that can be used; .*refused"):
        check_queue(build_queue("redis://127.0.0.1:1/0"))
