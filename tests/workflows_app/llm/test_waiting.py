"""A wait that can be cancelled."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from workflows_app.errors import RunCancelledError
from workflows_app.llm.waiting import iterate, wait_for


def keep_going() -> None:
    """Nobody cancels."""


def cancel() -> None:
    raise RunCancelledError("Stopped.")


def test_wait_gives_the_result() -> None:
    assert wait_for(lambda: 5, keep_going) == 5


def test_wait_raises_what_the_work_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        wait_for(lambda: 1 // 0, keep_going)


def test_cancelled_while_the_work_is_silent() -> None:
    never = threading.Event()

    with pytest.raises(RunCancelledError):
        wait_for(never.wait, cancel)

    never.set()


def test_iterator_is_closed_when_nobody_listens() -> None:
    closed = threading.Event()

    def endless() -> Iterator[int]:
        try:
            while True:
                yield 1
        finally:
            closed.set()

    values = iterate(endless, keep_going)
    assert next(values) == 1
    values.close()  # type: ignore[attr-defined]

    assert closed.wait(10)
