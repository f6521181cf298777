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

from wilmer_site.lib.env import SettingError, reason_of

QUEUE_NAME = "memory-console"

WORKERS = 2
"""Threads per consumer. Jobs wait for models most of the time; more would only crowd the model server."""

CONNECT_SECONDS = 10
"""How long a PostgreSQL may take to answer; without a limit a start waits for minutes."""


def build_queue(address: str) -> Huey:
    """A queue at an address. Raises SettingError when it cannot be used or the driver for it is not installed.

    SQLite and PostgreSQL make their tables at once; whether a Redis answers, `check_queue` says.
    """
    scheme = address.partition("://")[0]
    try:
        return _build(scheme, address)
    except ConfigurationError:
        extra = "redis" if scheme.startswith("redis") else "postgres"
        raise SettingError(
            f"WILMER_JOBS_URL names {scheme}, whose driver is missing: pip install '.[{extra}]'."
        ) from None
    except Exception as error:  # Every driver has errors of its own, and none may be installed.
        raise _unusable(error) from None


def check_queue(queue: Huey) -> None:
    """Raise SettingError when the server of the queue does not answer."""
    try:
        queue.pending_count()
    except Exception as error:
        raise _unusable(error) from None


def build_consumer(queue: Huey) -> Consumer:
    """A consumer of the queue with every job known to it; `start()` returns at once, `stop(graceful=True)` waits."""
    autodiscover_modules("jobs")
    return _QuietConsumer(queue, workers=WORKERS, worker_type="thread", initial_delay=0.2, max_delay=2.0)


class _QuietConsumer(Consumer):  # type: ignore[misc]
    """Leaves the signals of the process to whoever runs it."""

    def _set_signal_handlers(self) -> None:
        """Do nothing: the server or the command stops the consumer."""


def _build(scheme: str, address: str) -> Huey:
    if scheme == "sqlite":
        return SqliteHuey(QUEUE_NAME, filename=address.removeprefix("sqlite:///"))
    if scheme.startswith("redis"):
        return RedisHuey(QUEUE_NAME, url=address)
    patience = {} if "connect_timeout" in address else {"connect_timeout": CONNECT_SECONDS}
    return PostgresHuey(QUEUE_NAME, dsn=address, **patience)


def _unusable(error: Exception) -> SettingError:
    return SettingError(f"WILMER_JOBS_URL must name a queue that can be used; {reason_of(error)}")


queue = build_queue(settings.WILMER_JOBS_URL)
