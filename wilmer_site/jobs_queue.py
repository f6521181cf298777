"""The carrier of long work. A `Job` row is the record; the queue only says that a row is waiting.

WILMER_JOBS_URL chooses where the queue lives: an SQLite file (the consumer runs inside `make run`), Redis or
PostgreSQL (as many consumers on as many machines as one likes: `manage.py run_jobs`).
"""

from __future__ import annotations

from django.conf import settings
from django.utils.module_loading import autodiscover_modules
from huey import Huey, PostgresHuey, RedisHuey, SqliteHuey
from huey.consumer import Consumer
from huey.exceptions import ConfigurationError

from wilmer_site.lib.env import SettingError

QUEUE_NAME = "memory-console"

WORKERS = 2
"""Threads per consumer. Jobs wait for models most of the time; more would only crowd the model server."""


def build_queue(address: str) -> Huey:
    """A queue at an address. Raises SettingError when the driver for it is not installed."""
    scheme, _, rest = address.partition("://")
    if scheme == "sqlite":
        return SqliteHuey(QUEUE_NAME, filename=rest.removeprefix("/"))
    try:
        return _redis_queue(address) if scheme.startswith("redis") else _postgres_queue(address)
    except ConfigurationError:
        extra = "redis" if scheme.startswith("redis") else "postgres"
        raise SettingError(
            f"WILMER_JOBS_URL names {scheme}, whose driver is missing: pip install '.[{extra}]'."
        ) from None


def build_consumer(queue: Huey) -> Consumer:
    """A consumer of the queue with every job known to it; `start()` returns at once, `stop(graceful=True)` waits."""
    autodiscover_modules("jobs")
    return _QuietConsumer(queue, workers=WORKERS, worker_type="thread", initial_delay=0.2, max_delay=2.0)


class _QuietConsumer(Consumer):  # type: ignore[misc]
    """Leaves the signals of the process to whoever runs it."""

    def _set_signal_handlers(self) -> None:
        """Do nothing: the server or the command stops the consumer."""


def _redis_queue(address: str) -> Huey:
    try:
        return RedisHuey(QUEUE_NAME, url=address)
    except ValueError as error:
        raise SettingError(f"WILMER_JOBS_URL is not a Redis address: {error}.") from None


def _postgres_queue(address: str) -> Huey:
    """Makes its tables at once, so a server that does not answer stops the start."""
    try:
        return PostgresHuey(QUEUE_NAME, dsn=address)
    except ConfigurationError:
        raise
    except Exception as error:
        raise SettingError(f"WILMER_JOBS_URL names a PostgreSQL that cannot be used: {error}") from None


queue = build_queue(settings.WILMER_JOBS_URL)
