"""A value of a config file as the text of a form control, and back. Pure.

What a person did not touch is never written: a text is compared with the one that was shown, and only a text that
differs is read as a new value.
"""

from __future__ import annotations

import hashlib
import json
import math
from enum import StrEnum
from typing import Any, Final

from workflows_app.configs.fields import FieldSpec, FieldType
from workflows_app.errors import ConfigInvalidError


class Absent:
    """The one value that says: this key is not in the file."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent()


class Control(StrEnum):
    """What a form shows for a value."""

    LINE = "line"
    AREA = "area"
    NUMBER = "number"
    SWITCH = "switch"
    CHOICE = "choice"
    LINES = "lines"
    """A list of texts, one a line."""
    JSON = "json"
    SECRET = "secret"
    FIXED = "fixed"
    """Shown only: a form could not give it back as it is."""


def choose_control(spec: FieldSpec, value: Any) -> Control:
    """The control that can show this value and give it back."""
    if spec.is_secret:
        return Control.SECRET if spec.type is FieldType.TEXT else Control.FIXED
    if not _is_showable(value):
        return Control.FIXED
    if spec.type is FieldType.SWITCH and not isinstance(value, list | dict):
        return Control.SWITCH
    if isinstance(value, dict):
        return Control.JSON
    if isinstance(value, list):
        return Control.LINES if _is_list_of_lines(value) or not value else Control.JSON
    return _control_of_type(spec, value)


def show_value(control: Control, value: Any) -> str:
    """The text of the control; empty for an absent key, and always empty for a secret."""
    if control is Control.SECRET or isinstance(value, Absent):
        return ""
    if control is Control.SWITCH:
        return "on" if value else ""
    if control is Control.LINES:
        return "\n".join(value) if isinstance(value, list) else ""
    if control is Control.JSON:
        return json.dumps(value, indent=2, ensure_ascii=False)
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def seen_mark(text: str) -> str:
    """A short mark of what was shown, so that a later answer tells whether a person changed it."""
    return hashlib.sha256(normalise(text).encode()).hexdigest()[:16]


def normalise(text: str) -> str:
    """The text with the line ends of a browser's form made line feeds."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_text(spec: FieldSpec, control: Control, text: str, before: Any) -> Any:
    """The value a person typed; ABSENT when the key is to go. Raises ConfigInvalidError with a sentence."""
    text = normalise(text)
    if control is Control.SWITCH:
        return bool(text)
    if control is Control.SECRET:
        return text
    if control is Control.NUMBER:
        return _read_number(spec, text, before)
    if control is Control.LINES:
        return text.split("\n") if text else ([] if isinstance(before, list) else ABSENT)
    if control is Control.JSON:
        return _read_json(spec, text)
    return _read_line(spec, text, before)


def _is_showable(value: Any) -> bool:
    """Whether the value survives the way through a browser: no control characters, no halves of characters."""
    texts = [value] if isinstance(value, str) else value if _is_list_of_lines(value) else []
    if not all(mark in "\n\t" or mark >= " " for text in texts for mark in text):
        return False
    written = "" if isinstance(value, Absent) else json.dumps(value, ensure_ascii=False)
    return not any("\ud800" <= mark <= "\udfff" or mark == "\ufffd" for mark in written)


def _is_list_of_lines(value: Any) -> bool:
    if not isinstance(value, list) or not all(isinstance(item, str) and "\n" not in item for item in value):
        return False
    return any(value)


def _control_of_type(spec: FieldSpec, value: Any) -> Control:
    if spec.type in {FieldType.OBJECT, FieldType.ANY} and not isinstance(value, str):
        return Control.JSON
    if spec.type is FieldType.LIST and not isinstance(value, str):
        return Control.LINES if value is ABSENT or value is None else Control.JSON
    if isinstance(value, str) and "\n" in value:
        return Control.AREA
    if spec.type in {FieldType.INTEGER, FieldType.NUMBER}:
        return Control.NUMBER
    if spec.type is FieldType.CHOICE:
        return Control.CHOICE
    return Control.AREA if spec.type is FieldType.LONG_TEXT else Control.LINE


def _read_number(spec: FieldSpec, text: str, before: Any) -> Any:
    text = text.strip()
    if not text:
        return None if before is None else ABSENT
    if spec.is_templated and "{" in text:
        return text
    try:
        number = int(text) if spec.type is FieldType.INTEGER else _plain_number(float(text), text)
    except (ValueError, OverflowError):
        kind = "a whole number" if spec.type is FieldType.INTEGER else "a number"
        raise ConfigInvalidError(f"{text[:40]!r} is not {kind}.") from None
    if spec.low is not None and number < spec.low:
        raise ConfigInvalidError(f"It must be at least {spec.low:g}.")
    if spec.high is not None and number > spec.high:
        raise ConfigInvalidError(f"It must be at most {spec.high:g}.")
    return number


def _plain_number(number: float, text: str) -> int | float:
    if not math.isfinite(number):
        raise ValueError(text)
    return int(text) if text.lstrip("+-").isdecimal() else number


def _read_json(spec: FieldSpec, text: str) -> Any:
    if not text.strip():
        return ABSENT
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigInvalidError(f"This is no JSON: {error}.") from None
    if value is None and spec.accepts_null:
        return value
    if spec.type is FieldType.OBJECT and not isinstance(value, dict):
        raise ConfigInvalidError("It must be an object, such as {}.")
    if spec.type is FieldType.LIST and not isinstance(value, list):
        raise ConfigInvalidError("It must be a list, such as [].")
    return value


def _read_line(spec: FieldSpec, text: str, before: Any) -> Any:
    if not text and (spec.accepts_null or spec.type is FieldType.CHOICE):
        return None if spec.accepts_null and before is not ABSENT else ABSENT
    if spec.type is FieldType.CHOICE and spec.choices and text not in spec.choices and text != before:
        raise ConfigInvalidError(f"It must be one of {', '.join(map(str, spec.choices))}.")
    return text
