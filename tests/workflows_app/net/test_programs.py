"""Programs that are run for nodes end in time and keep the console's secrets out."""

from __future__ import annotations

import sys

import pytest

from workflows_app.errors import RunCancelledError, ToolCallError
from workflows_app.net.programs import ProgramResult, ProgramTimeoutError, run_program


def run(code: str, *, timeout: float = 20, limit: int = 1_000_000, check: object = lambda: None) -> ProgramResult:
    command = [sys.executable, "-c", code]
    return run_program(command, timeout_seconds=timeout, limit_bytes=limit, check=check)  # type: ignore[arg-type]


def test_what_a_program_says() -> None:
    result = run("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)")

    assert (result.stdout, result.stderr, result.code) == (b"out\n", b"err\n", 3)


def test_secrets_are_not_in_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WILMER_SECRET_KEY", "hush")

    assert b"hush" not in run("import os; print(dict(os.environ))").stdout


def test_too_much_output_stops_it() -> None:
    result = run("while True: print('x' * 1000)", limit=5000)

    assert (len(result.stdout), result.is_cut) == (5000, True)


def test_time_is_over() -> None:
    with pytest.raises(ProgramTimeoutError):
        run("import time; time.sleep(60)", timeout=0.2)


def test_cancelling_stops_it() -> None:
    def cancel() -> None:
        raise RunCancelledError("The run was cancelled.")

    with pytest.raises(RunCancelledError):
        run("import time; time.sleep(60)", check=cancel)


def test_program_that_is_not_there() -> None:
    with pytest.raises(ToolCallError, match="could not be started"):
        run_program(["no-such-program"], timeout_seconds=1, limit_bytes=10, check=lambda: None)
