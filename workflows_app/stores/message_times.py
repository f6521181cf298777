"""Message times of one discussion, kept in its `timestamps.json` (workflows.md §12.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.services import timestamps
from memory.stores.discussion_files import DiscussionFiles
from workflows_app.engine.message_times import as_memory_message
from workflows_app.types import ChatMessage


@dataclass(frozen=True, slots=True)
class DiscussionTimes:
    """The times of an opened discussion."""

    files: DiscussionFiles
    now: Callable[[], datetime]
    """Local time, without offset."""

    def read(self) -> Mapping[str, str]:
        """All stored times by message hash; empty when the file is absent, damaged or locked."""
        values = self.files.read_timestamps().values
        return {key: value for key, value in values.items() if isinstance(value, str)}

    def track(self, messages: Sequence[ChatMessage]) -> None:
        """Give a time to every message that has none."""
        timestamps.track_messages(self.files, [as_memory_message(message) for message in messages], now=self.now())

    def begin_answer(self) -> None:
        """Remember that the answer is being generated now."""
        timestamps.begin_answer(self.files, now=self.now())

    def commit_answer(self, content: str) -> None:
        """Give the finished answer the time it was begun at."""
        timestamps.commit_answer(self.files, content, now=self.now())
