"""A job whose worker is killed with SIGKILL in the middle, with a database of its own.

`python -m tests.memory.services.killing_jobs FOLDER`, with WILMER_STATE_DIR pointing there; prints what was found.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from datetime import timedelta
from pathlib import Path

import django

CHUNKS = 6
KILL_AFTER = 3
"""So many drafts are ready when the worker dies."""


def main(folder: Path) -> None:
    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connections

    from memory.engine.regeneration import Kind
    from memory.models import Draft, Job
    from memory.services.drafts import accept_all
    from memory.services.job_running import execute_job
    from memory.services.jobs import reap_jobs
    from tests.memory.regenerating import ANNA, MODEL, open_world, read_texts, start
    from wilmer_site.lib.clock import utc_now

    call_command("migrate", verbosity=0)
    ref = open_world(folder, settings, chunks=CHUNKS)
    MODEL.answer = lambda text: f"new {text}"
    job_id = start(ref, Kind.EVERYTHING)
    connections.close_all()
    pid = os.fork()
    if pid == 0:
        MODEL.answer = lambda text: time.sleep(60) or "" if len(MODEL.calls) > KILL_AFTER else f"new {text}"
        execute_job(job_id)
        os._exit(0)
    while Draft.objects.filter(job_id=job_id, state=Draft.State.READY).count() < KILL_AFTER:
        time.sleep(0.05)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    before = read_texts(folder / "Public")
    reap_jobs(utc_now() + timedelta(minutes=5))
    state = execute_job(job_id)
    again = len(MODEL.calls)
    accept_all(job_id, ANNA)
    found = {
        "stored": before,
        "state": str(state),
        "attempts": Job.objects.get(pk=job_id).attempts,
        "asked_again": again,
        "texts": read_texts(folder / "Public"),
        "drafts": Draft.objects.filter(job_id=job_id).count(),
    }
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
