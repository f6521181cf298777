"""Work off the queue, on this machine or on another one that shares WILMER_JOBS_URL and DATABASE_URL."""

from __future__ import annotations

import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand

from wilmer_site.jobs_queue import build_consumer, check_queue, queue


class Command(BaseCommand):
    """Runs until Ctrl-C or SIGTERM, finishing the jobs in hand."""

    help = "Work off queued jobs until stopped. `make run` does this by itself."

    def handle(self, *args: Any, **options: Any) -> None:
        check_queue(queue)
        stopped = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stopped.set())
        consumer = build_consumer(queue)
        consumer.start()
        self.stdout.write("Waiting for jobs. Ctrl-C stops.")
        stopped.wait()
        consumer.stop(graceful=True)
