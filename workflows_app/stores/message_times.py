"""Message times of one discussion, kept in its `timestamps.json` (workflows.md §12.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from memory.services import timestamps
from memory.stores.discussion_files import DiscussionFiles
from memory.types import Artefact
from workflows_app.engine.message_times import as_memory_message
from workflows_app.types import ChatMessage

Version = tuple[int, int, int]
_NEVER: Version = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class DiscussionTimes:
    """The times of an opened discussion."""

    files: DiscussionFiles
    now: Callable[[], datetime]
    """Local time, without offset."""
    _known: dict[Version, Mapping[str, str]] = field(default_factory=dict, repr=False)
    """What was read last; every node of a run asks, and the file of a long discussion has a time for each message."""

    def read(self) -> Mapping[str, str]:
        """All stored times by message hash; empty when the file is absent, damaged or locked."""
        version = self._look()
        if version is None or version not in self._known:
            values = self.files.read_timestamps().values
            self._known.clear()
            self._known[version or _NEVER] = {key: value for key, value in values.items() if isinstance(value, str)}
        return self._known[version or _NEVER]

    def _look(self) -> Version | None:
        """What tells one state of the file from another; None when it is not there."""
        try:
            facts = self.files.place(Artefact.TIMESTAMPS).path.stat()
        except OSError:
            return None
        return facts.st_ino, facts.st_mtime_ns, facts.st_size

    def track(self, messages: Sequence[ChatMessage]) -> None:
        """Give a time to every message that has none."""
        timestamps.track_messages(self.files, [as_memory_message(message) for message in messages], now=self.now())

    def begin_answer(self) -> None:
        """Remember that the answer is being generated now."""
        timestamps.begin_answer(self.files, now=self.now())

    def commit_answer(self, content: str) -> None:
        """Give the finished answer the time it was begun at."""
        timestamps.commit_answer(self.files, content, now=self.now())
