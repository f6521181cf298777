"""Edits that are killed again and again: old or new content, a revision for it, nothing left behind."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.memory.services.killing import ROOT

KILLS = 200 if os.environ.get("WILMER_SOAK") else 6
LONGEST_SECONDS = 0.4


class Console:
    """A console in a process of its own, whose children are killed."""

    def __init__(self, program: subprocess.Popen[str]) -> None:
        self._program = program

    def ask(self, order: dict[str, Any]) -> Any:
        assert self._program.stdin
        self._program.stdin.write(f"{json.dumps(order)}\n")
        self._program.stdin.flush()
        return self.read()

    def read(self) -> Any:
        assert self._program.stdout
        return json.loads(self._program.stdout.readline())


@pytest.mark.slow
def test_killed_edits_leave_old_or_new_with_a_revision(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.memory.services.killing_writes", str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        console = Console(program)
        assert console.read() == "ready"
        revisions = 0
        for seed in range(KILLS):
            pid = console.ask({"seed": seed})
            time.sleep(random.uniform(0, LONGEST_SECONDS))
            os.kill(pid, signal.SIGKILL)
            assert console.ask({"wait": pid}) == signal.SIGKILL
            found = console.ask({"check": True})
            revisions = found.pop("revisions")
            assert found == {
                "states": ["absent", "present"],
                "unrecorded": [],
                "begun": 0,
                "temps": [],
                "database": [None, None, None, 0, 0, 0, 0],
            }, f"after kill {seed}"
        assert revisions
        program.kill()
