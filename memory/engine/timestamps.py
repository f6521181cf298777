"""When each message was said: rules on the values of `timestamps.json` (memory.md §22).

Times are local, without offset, as text `(Weekday, YYYY-MM-DD HH:MM:SS)`. Functions give new values and change none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from memory.engine.hashing import hash_message, hash_text
from memory.types import Message

PENDING = "PLACEHOLDER_TIMESTAMP_HASH_0000"
"""The key of the answer that is being generated."""

Times = Mapping[str, str]

_PROMPT_LENGTH = 100
_SYSTEM_ROLES = frozenset({"system", "systemmes"})
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_TIME = re.compile(
    rf"(?:{'|'.join(_WEEKDAYS)}),\s+(\d{{4}})-(\d{{1,2}})-(\d{{1,2}})\s+(\d{{1,2}}):(\d{{1,2}}):(\d{{1,2}})",
    re.IGNORECASE,
)


def format_time(moment: datetime) -> str:
    """A local time as it is stored."""
    return f"({_WEEKDAYS[moment.weekday()]}, {moment:%Y-%m-%d %H:%M:%S})"


def parse_time(text: object) -> datetime | None:
    """A stored time; None if it cannot be read. The weekday must be there, but is not checked against the date."""
    match = _TIME.fullmatch(text.strip("() \t\r\n")) if isinstance(text, str) else None
    if match is None:
        return None
    try:
        return datetime(*map(int, match.groups()))  # type: ignore[arg-type]  # noqa: DTZ001
    except ValueError:
        return None


def one_second_earlier(text: str) -> str:
    """The stored time minus one second; an unreadable one stays as it is."""
    moment = parse_time(text)
    return text if moment is None else format_time(moment - timedelta(seconds=1))


def is_generation_prompt(message: Message) -> bool:
    """Whether a last message only names who speaks next."""
    content = message.text.strip()
    return len(content) < _PROMPT_LENGTH and content.endswith(":")


def list_tracked(messages: Sequence[Message]) -> list[int]:
    """Positions of the messages that get times: no system messages, no generation prompt at the end."""
    end = len(messages) - 1 if messages and is_generation_prompt(messages[-1]) else len(messages)
    return [at for at in range(end) if is_tracked(messages[at])]


def track_times(values: Times, messages: Sequence[Message], now: datetime) -> dict[str, str]:
    """Give a time to every message that has none, going backwards from now or from the next known time."""
    times = _resolve_pending(values, messages)
    anchor = format_time(now)
    for at in reversed(list_tracked(messages)):
        identity = hash_message(messages[at])
        anchor = times.setdefault(identity, anchor)
        anchor = one_second_earlier(anchor)
    return times


def set_pending(values: Times, now: datetime) -> dict[str, str]:
    """Remember that an answer is being generated now."""
    return {**values, PENDING: format_time(now)}


def commit_pending(values: Times, content: str, now: datetime) -> dict[str, str]:
    """Give the answer the time it was begun at; without a pending time, the present one."""
    times = dict(values)
    begun = times.pop(PENDING, None)
    if content:
        times[hash_text(content)] = format_time(now) if begun is None else begun
    return times


def set_time(values: Times, content: str, time: str) -> dict[str, str]:
    """Give a text a certain time; nothing changes for an empty text or time."""
    return {**values, hash_text(content): time} if content and time else dict(values)


def format_contents(messages: Sequence[Message], values: Times, now: datetime, *, relative: bool = False) -> list[str]:
    """The contents of all messages, with the time in front where one is known."""
    tracked = set(list_tracked(messages))
    return [
        format_content(message, values, now, relative=relative) if at in tracked else message.text
        for at, message in enumerate(messages)
    ]


def format_content(message: Message, values: Times, now: datetime, *, relative: bool = False) -> str:
    """The content of one message that gets times, with its time in front if it is known."""
    return _with_time(message, values.get(hash_message(message), ""), now, relative)


def is_tracked(message: Message) -> bool:
    """Whether a message gets a time, unless it is a generation prompt at the end."""
    return message.role.lower() not in _SYSTEM_ROLES


def format_relative(text: str, now: datetime) -> str:
    """A stored time as `[Sent … ago]`; empty if it cannot be read."""
    moment = parse_time(text)
    return "" if moment is None else f"[Sent {format_age(moment, now)} ago]"


def format_age(moment: datetime, now: datetime) -> str:
    """How long ago in days, hours and minutes; the future counts as now."""
    minutes = max(0, int((now - moment).total_seconds())) // 60
    parts = (("day", minutes // 1440), ("hour", minutes // 60 % 24), ("minute", minutes % 60))
    named = [f"{count} {unit}{'' if count == 1 else 's'}" for unit, count in parts if count]
    return ", ".join(named) or "less than a minute"


def build_time_context(values: Times, now: datetime) -> str:
    """The sentence that says when the conversation started; empty without readable times."""
    moments = {moment for key, text in values.items() if key != PENDING and (moment := parse_time(text))}
    if not moments:
        return ""
    started = format_age(min(moments), now)
    if len(moments) == 1:
        return f"[Time Context: The conversation started {started} ago.]"
    latest = format_age(max(moments), now)
    return f"[Time Context: This conversation started {started} ago. The most recent message was sent {latest} ago.]"


def _resolve_pending(values: Times, messages: Sequence[Message]) -> dict[str, str]:
    times = dict(values)
    begun = times.pop(PENDING, None)
    if begun is not None:
        answer = next((at for at in reversed(list_tracked(messages)) if messages[at].role == "assistant"), None)
        if answer is not None:
            times.setdefault(hash_message(messages[answer]), begun)
    return times


def _with_time(message: Message, time: str, now: datetime, relative: bool) -> str:
    shown = format_relative(time, now) if relative else time
    return f"{shown} {message.text}" if shown and not message.text.startswith(shown) else message.text
