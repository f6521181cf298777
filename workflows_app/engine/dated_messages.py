"""The conversation with message times in front, each made when somebody looks at it.

A node needs the newest few of perhaps 30,000 messages; putting times on all of them would cost more than the node.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import overload

from workflows_app.types import ChatMessage

ShowTime = Callable[[ChatMessage], ChatMessage]


class DatedMessages(Sequence[ChatMessage]):
    """Messages that get their times when they are looked at; slices are as lazy as the whole."""

    def __init__(self, messages: Sequence[ChatMessage], show_time: ShowTime) -> None:
        self._messages = messages
        self._show_time = show_time

    @overload
    def __getitem__(self, index: int) -> ChatMessage: ...

    @overload
    def __getitem__(self, index: slice) -> DatedMessages: ...

    def __getitem__(self, index: int | slice) -> ChatMessage | DatedMessages:
        if isinstance(index, slice):
            return DatedMessages(self._messages[index], self._show_time)
        return self._show_time(self._messages[index])

    def __len__(self) -> int:
        return len(self._messages)

    def __repr__(self) -> str:
        """As the list that it stands for, which is what a template that names `messages` shows."""
        return repr(list(self))

    def where(self, keep: Callable[[ChatMessage], bool]) -> DatedMessages:
        """Those that pass; `keep` sees them without times."""
        return DatedMessages([message for message in self._messages if keep(message)], self._show_time)
