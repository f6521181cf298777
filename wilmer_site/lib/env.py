"""Reading settings from the environment, refusing what cannot be meant.

Every reader raises `SettingError` with a sentence that names the variable, shows the value and says what is
accepted, so that a wrong value stops the start instead of surfacing later.
"""

from __future__ import annotations

import os
import re
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


def env_names(name: str, default: str = "") -> tuple[str, ...]:
    """Texts separated by commas, trimmed, blank ones left out."""
    return tuple(part.strip() for part in env_text(name, default).split(",") if part.strip())


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


def env_choice(name: str, default: str, choices: tuple[str, ...]) -> str:
    """One of a few words, in any case; given back as it is written in `choices`."""
    word = env_text(name, default)
    for choice in choices:
        if word.lower() == choice.lower():
            return choice
    raise SettingError(f"{name} must be one of {', '.join(choices)}; it is {word!r}.")


def env_address(name: str, default: str, schemes: tuple[str, ...]) -> str:
    """An address whose scheme is one of a few, such as `redis://host:6379/0`."""
    address = env_text(name, default)
    scheme, separator, rest = address.partition("://")
    if not separator or scheme not in schemes or not rest.strip("/"):
        known = ", ".join(f"{scheme}://" for scheme in schemes)
        raise SettingError(f"{name} must start with {known}; it is {_hide_password(address)!r}.")
    return address


def reason_of(error: Exception) -> str:
    """The first line of what a driver says, which may say much more; without passwords, with a full stop."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return f"{_hide_password(lines[0]).rstrip('.')}."


def env_own_folder(name: str, default: Path) -> Path:
    """A folder that is made when it is missing, readable by its owner alone."""
    folder = Path(env_text(name) or default).expanduser().absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise SettingError(f"{name} must name a folder that can be made; {str(folder)!r}: {error.strerror}.") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise SettingError(f"{name} must name a folder that can be written to; {str(folder)!r} cannot.")
    return folder


def _hide_password(text: str) -> str:
    """A password must not reach a screen or a log."""
    return re.sub(r":[^:@/]+@", ":…@", text)
