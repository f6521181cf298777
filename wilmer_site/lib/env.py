"""Reading settings from the environment, refusing what cannot be meant.

Every reader raises `SettingError` with a sentence that names the variable, shows the value and says what is
accepted, so that a wrong value stops the start instead of surfacing later.
"""

from __future__ import annotations

import os
import zoneinfo
from pathlib import Path

_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"0", "false", "no", "off", ""}


class SettingError(Exception):
    """A setting has a value that cannot be used; the text names it and says how to mend it."""


def env_text(name: str, default: str = "") -> str:
    """The trimmed text of a variable, or the default when it is unset or blank."""
    return os.environ.get(name, "").strip() or default


def env_bool(name: str, *, default: bool = False) -> bool:
    """A switch: 1/true/yes/on or 0/false/no/off in any case."""
    raw = os.environ.get(name)
    if raw is None:
        return default
    word = raw.strip().lower()
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    raise SettingError(f"{name} must be one of 1, true, yes, on, 0, false, no, off; it is {raw!r}.")


def env_int(name: str, default: int, *, low: int, high: int) -> int:
    """A whole number between `low` and `high`, both included."""
    raw = env_text(name)
    if not raw:
        return default
    try:
        number = int(raw)
    except ValueError:
        number = low - 1
    if not low <= number <= high:
        raise SettingError(f"{name} must be a whole number from {low} to {high}; it is {raw!r}.")
    return number


def env_folder(name: str, default: Path | None = None) -> Path | None:
    """An existing folder, `~` expanded; None when unset and no default is given."""
    raw = env_text(name)
    if not raw:
        return default
    folder = Path(raw).expanduser()
    if not folder.is_dir():
        raise SettingError(f"{name} must name an existing folder; {raw!r} is not one.")
    return folder.absolute()


def env_timezone(name: str, default: str) -> str:
    """The name of a time zone this machine knows, such as `Europe/Prague`."""
    zone = env_text(name, default)
    try:
        zoneinfo.ZoneInfo(zone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        raise SettingError(f"{name} must be a time zone such as UTC or Europe/Prague; it is {zone!r}.") from None
    return zone
