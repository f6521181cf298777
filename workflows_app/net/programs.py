"""Running one program without a shell, bounded in time and in what it may say."""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from workflows_app.errors import ToolCallError

_CHUNK = 65_536
_LOOK_SECONDS = 0.1
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT")


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """What a program said. `is_cut`: it said more than the limit and was stopped."""

    stdout: bytes
    stderr: bytes
    code: int
    is_cut: bool = False


class ProgramTimeoutError(ToolCallError):
    """The program was not done in time and was stopped."""

    code = "program-timeout"


def build_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The few variables that programs need, and those that are given; never the console's own secrets."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return {**kept, **(extra or {})}


def run_program(
    command: Sequence[str], *, timeout_seconds: float, limit_bytes: int, check: Callable[[], None]
) -> ProgramResult:
    """Run to the end. `check` is called every moment and ends the program by raising.

    Raises ProgramTimeoutError, and ToolCallError when the program cannot be started.
    """
    try:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=build_environment(),
        )
    except (OSError, ValueError) as error:
        raise ToolCallError(f"{command[0]} could not be started: {error}.") from None
    try:
        return _listen(process, time.monotonic() + timeout_seconds, limit_bytes, check)
    finally:
        stop_process(process)


def stop_process(process: subprocess.Popen[bytes]) -> None:
    """End a program, gently first, and close its pipes."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()


def _listen(process: subprocess.Popen[bytes], deadline: float, limit: int, check: Callable[[], None]) -> ProgramResult:
    said = {"stdout": bytearray(), "stderr": bytearray()}
    with selectors.DefaultSelector() as selector:
        for name in said:
            selector.register(getattr(process, name), selectors.EVENT_READ, name)
        while selector.get_map():
            check()
            if time.monotonic() > deadline:
                raise ProgramTimeoutError("The program was not done in time.")
            for key, _ in selector.select(_LOOK_SECONDS):
                piece = os.read(key.fd, _CHUNK)
                said[key.data] += piece
                if not piece:
                    selector.unregister(key.fileobj)
            if max(len(text) for text in said.values()) > limit:
                return ProgramResult(bytes(said["stdout"][:limit]), bytes(said["stderr"][:limit]), 0, is_cut=True)
    code = process.wait(timeout=max(0.1, deadline - time.monotonic()))
    return ProgramResult(bytes(said["stdout"]), bytes(said["stderr"]), code)
