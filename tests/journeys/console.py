"""A whole console in a process of its own, as `make run` starts it: server, workers and sample workspace."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 120.0


@dataclass(frozen=True)
class Console:
    """A console that answers."""

    url: str
    sign_in_link: str
    public: Path

    def write_config(self, name: str, content: Any) -> None:
        """A file below its configs folder."""
        path = self.public / "Configs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")


@contextlib.contextmanager
def open_console(state: Path) -> Iterator[Console]:
    """Start one on a free port of this machine and stop it at the end."""
    port = _find_port()
    environ = {key: value for key, value in os.environ.items() if not key.startswith("WILMER_")}
    environ |= {"WILMER_STATE_DIR": str(state), "WILMER_PORT": str(port), "PYTHONUNBUFFERED": "1"}
    log = state.parent / "console.log"
    with log.open("w") as stream:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "quickstart"], cwd=ROOT, env=environ, stdout=stream, stderr=stream
        )
    try:
        link = _wait_for_link(process, log)
        yield Console(f"http://127.0.0.1:{port}", link, state / "sample" / "Public")
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def _find_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for_link(process: subprocess.Popen[bytes], log: Path) -> str:
    give_up = time.monotonic() + START_SECONDS
    while time.monotonic() < give_up and process.poll() is None:
        found = re.search(r"Sign in\s+(\S+)", log.read_text())
        if found:
            return found.group(1)
        time.sleep(0.1)
    raise AssertionError(f"The console did not start: {log.read_text()}")
