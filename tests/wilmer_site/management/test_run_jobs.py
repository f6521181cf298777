from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from django.conf import settings


def test_run_jobs_waits_and_stops_cleanly(tmp_path: Path) -> None:
    environ = {**os.environ, "WILMER_STATE_DIR": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "manage.py", "run_jobs"]
    with subprocess.Popen(command, cwd=settings.BASE_DIR, env=environ, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        first = process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)

    assert (first, process.returncode) == ("Waiting for jobs. Ctrl-C stops.\n", 0)
