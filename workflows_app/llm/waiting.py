"""Waiting for a slow server without becoming deaf to a cancellation.

The blocking call runs in a thread of its own; the run looks every moment whether somebody cancelled it. A call that
is given up ends by itself when the server answers or the client's time limits are over.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

Value = TypeVar("Value")

_LOOK_SECONDS = 0.1
_MAX_WAITING_PIECES = 256


@dataclass(frozen=True, slots=True)
class _Outcome(Generic[Value]):
    value: Value | None = None
    error: BaseException | None = None
    is_end: bool = False


def wait_for(work: Callable[[], Value], check: Callable[[], None]) -> Value:
    """The result of `work`; `check` is called every moment and ends the wait by raising."""
    for value in iterate(lambda: iter((work(),)), check):
        return value
    raise RuntimeError("The work gave nothing.")  # pragma: no cover - a one-element iterator gives one


def iterate(start: Callable[[], Iterator[Value]], check: Callable[[], None]) -> Iterator[Value]:
    """The values of an iterator made and read in another thread; `check` ends it by raising."""
    pieces: queue.Queue[_Outcome[Value]] = queue.Queue(_MAX_WAITING_PIECES)
    stopped = threading.Event()
    threading.Thread(target=_read, args=(start, pieces, stopped), daemon=True, name="model-call").start()
    try:
        while True:
            check()
            try:
                outcome = pieces.get(timeout=_LOOK_SECONDS)
            except queue.Empty:
                continue
            if outcome.error is not None:
                raise outcome.error
            if outcome.is_end:
                return
            yield outcome.value  # type: ignore[misc]
    finally:
        stopped.set()


def _read(start: Callable[[], Iterator[Value]], pieces: queue.Queue[_Outcome[Value]], stopped: threading.Event) -> None:
    try:
        values = start()
        for value in values:
            if not _put(pieces, _Outcome(value), stopped):
                close = getattr(values, "close", None)
                if close is not None:
                    close()
                return
        _put(pieces, _Outcome(is_end=True), stopped)
    except BaseException as error:
        _put(pieces, _Outcome(error=error), stopped)


def _put(pieces: queue.Queue[_Outcome[Value]], outcome: _Outcome[Value], stopped: threading.Event) -> bool:
    """Hand over one outcome; False when nobody listens any more."""
    while not stopped.is_set():
        try:
            pieces.put(outcome, timeout=_LOOK_SECONDS)
        except queue.Full:
            continue
        return True
    return False
