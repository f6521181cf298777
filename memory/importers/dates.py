"""Times as chat programs write them."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

_MILLISECONDS_FROM = 100_000_000_000
"""A larger number counts milliseconds: as seconds it would lie beyond the year 5000."""

_AT_FORM = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})\s*@\s*(\d{1,2})h\s*(\d{1,2})m\s*(\d{1,2})s(?:\s*(\d{1,3})ms)?", re.IGNORECASE
)
_WRITTEN_FORMS = ("%B %d, %Y %I:%M%p", "%B %d, %Y %I:%M %p", "%B %d, %Y %H:%M", "%Y-%m-%d %H:%M:%S")


def parse_time(value: Any) -> datetime | None:
    """The moment, aware; a time without a zone is the machine's own. None for what is no time.

    Numbers are seconds or milliseconds since 1970, by their size. Forms: transcripts.md §1, §2, §6.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return _from_number(float(value)) if not isinstance(value, str) else _from_text(value.strip())
    except (ValueError, OverflowError, OSError):
        return None


def _from_number(number: float) -> datetime:
    seconds = number / 1000 if abs(number) >= _MILLISECONDS_FROM else number
    return datetime.fromtimestamp(seconds, UTC)


def _from_text(text: str) -> datetime | None:
    if re.fullmatch(r"-?\d+(\.\d+)?", text):
        return _from_number(float(text))
    if match := _AT_FORM.fullmatch(text):
        year, month, day, hour, minute, second, milliseconds = (int(part or 0) for part in match.groups())
        return datetime(year, month, day, hour, minute, second, milliseconds * 1000).astimezone()
    for form in _WRITTEN_FORMS:
        try:
            return datetime.strptime(text, form).astimezone()
        except ValueError:
            continue
    return datetime.fromisoformat(text).astimezone() if text else None
