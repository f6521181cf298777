"""The date and time variables of a workflow (workflows.md §6.4), in English whatever the locale."""

from __future__ import annotations

from datetime import datetime

_MONTHS = "January February March April May June July August September October November December".split()  # noqa: SIM905
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def build_date_variables(now: datetime) -> dict[str, str]:
    """Names and texts for one moment of local time."""
    month = _MONTHS[now.month - 1]
    hour = now.hour % 12 or 12
    return {
        "todays_date_pretty": f"{month} {now.day:02d}, {now.year}",
        "todays_date_iso": f"{now.year:04d}-{now.month:02d}-{now.day:02d}",
        "YYYY_MM_DD": f"{now.year:04d}_{now.month:02d}_{now.day:02d}",
        "current_time_12h": f"{hour}:{now.minute:02d} {'AM' if now.hour < 12 else 'PM'}",
        "current_time_24h": f"{now.hour:02d}:{now.minute:02d}",
        "current_month_full": month,
        "current_day_of_week": _DAYS[now.weekday()],
        "current_day_of_month": f"{now.day:02d}",
    }
