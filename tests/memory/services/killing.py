"""A creation of forty chunks in a process that dies at any moment: `python -m tests.memory.services.killing`.

The program forks one process per line it reads, so that dying costs milliseconds and not a start of Python.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memory.engine.triggers import WriterPath
from memory.services.creation import create_memories
from memory.services.results import CreationResult
from memory.types import Message
from tests.memory.services.worlds import FakeModel, build_workshop

ROOT = Path(__file__).resolve().parents[3]
CHUNKS = 40
MESSAGES_PER_CHUNK = 3

SETTINGS = {
    "fileMemoryWorkflowName": "remember",
    "vectorMemoryWorkflowName": "remember",
    "maxMessagesBetweenChunks": 1,
    "vectorMemoryMaxMessagesBetweenChunks": 1,
    "chunkEstimatedTokenSize": 50,
    "vectorMemoryChunkEstimatedTokenSize": 50,
    "lookbackStartTurn": 1,
}
"""Three of the messages below fill a chunk; whatever is left after a kill is due at once."""


def build_messages() -> list[Message]:
    count = CHUNKS * MESSAGES_PER_CHUNK + 1
    return [Message("user", f"message {number:04} says a few words about pots") for number in range(count)]


def create_all(folder: Path, path: WriterPath, *, pause_seconds: float = 0.0) -> CreationResult:
    """The whole creation; the model takes up to `pause_seconds` for an answer."""
    choose = random.Random()

    def answer(text: str) -> str:
        time.sleep(choose.uniform(0, pause_seconds))
        return answer_file(text) if path is WriterPath.FILE else answer_vector(text)

    return create_memories(build_workshop(folder, FakeModel(answer), SETTINGS), build_messages(), path=path)


def answer_file(text: str) -> str:
    return f"A memory of {text}. " * 20


def answer_vector(text: str) -> str:
    kinds = ("who", "what")
    return json.dumps(
        [{"title": kind, "summary": f"{kind}: {text}", "entities": [text[:12]], "key_phrases": []} for kind in kinds]
    )


class Nursery:
    """Starts creations and kills them."""

    def __init__(self, program: subprocess.Popen[str]) -> None:
        self._program = program

    def run(self, folder: Path, path: WriterPath, *, kill_after_seconds: float | None = None) -> bool:
        """Whether the creation came to its end before it was killed."""
        pid = self.start(folder, path)
        if kill_after_seconds is not None:
            time.sleep(kill_after_seconds)
            os.kill(pid, signal.SIGKILL)
        return self.wait(pid)

    def start(self, folder: Path, path: WriterPath) -> int:
        """Begin a creation beside whatever runs already; returns its process id."""
        return int(self._ask({"folder": str(folder), "path": path.value}))

    def wait(self, pid: int) -> bool:
        """Whether a creation came to its end before it was killed."""
        status = int(self._ask({"wait": pid}))
        assert status in (0, signal.SIGKILL), status
        return status == 0

    def _ask(self, order: dict[str, Any]) -> str:
        assert self._program.stdin
        assert self._program.stdout
        self._program.stdin.write(json.dumps(order) + "\n")
        self._program.stdin.flush()
        return self._program.stdout.readline()


@contextlib.contextmanager
def open_nursery() -> Iterator[Nursery]:
    command = [sys.executable, "-m", "tests.memory.services.killing"]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as program:
        try:
            yield Nursery(program)
        finally:
            program.kill()


def serve() -> None:
    for line in sys.stdin:
        order = json.loads(line)
        if "wait" in order:
            _answer(os.waitpid(order["wait"], 0)[1])
            continue
        pid = os.fork()
        if pid == 0:
            _live_and_die(Path(order["folder"]), WriterPath(order["path"]))
        _answer(pid)


def _answer(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


def _live_and_die(folder: Path, path: WriterPath) -> None:
    code = 1
    try:
        create_all(folder, path, pause_seconds=0.002)
        code = 0
    finally:
        os._exit(code)


if __name__ == "__main__":
    serve()
