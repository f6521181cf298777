"""Changing `timestamps.json` (memory.md §22). `now` is always local, without an offset."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from memory.engine import timestamps
from memory.services.workshop import SAFE_STATES
from memory.stores.discussion_files import DiscussionFiles
from memory.types import Message


def track_messages(files: DiscussionFiles, messages: Sequence[Message], *, now: datetime) -> timestamps.Times:
    """Give every message a time and return all times."""
    return _change(files, lambda times: timestamps.track_times(times, messages, now))


def begin_answer(files: DiscussionFiles, *, now: datetime) -> timestamps.Times:
    """Remember that an answer is being generated now."""
    return _change(files, lambda times: timestamps.set_pending(times, now))


def commit_answer(files: DiscussionFiles, content: str, *, now: datetime) -> timestamps.Times:
    """Give the finished answer the time it was begun at."""
    return _change(files, lambda times: timestamps.commit_pending(times, content, now))


def set_message_time(files: DiscussionFiles, content: str, time: str) -> timestamps.Times:
    """Give one text a certain time, as stored."""
    return _change(files, lambda times: timestamps.set_time(times, content, time))


def _change(files: DiscussionFiles, change: Callable[[timestamps.Times], dict[str, str]]) -> timestamps.Times:
    """Apply a rule under the lock; nothing is written when nothing changes or the file cannot be read."""
    with files.lock():
        file = files.read_timestamps()
        before = {key: value for key, value in file.values.items() if isinstance(value, str)}
        after = change(before)
        if file.report.state in SAFE_STATES and after != before:
            strange = {key: value for key, value in file.values.items() if key not in before}
            files.write_timestamps({**strange, **after})
        return after
