"""Single values of a config file, set or removed by their JSON Pointers; everything else stays as it is written."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workflows_app.configs.source import parse_pointer
from workflows_app.engine import json_text
from workflows_app.errors import ConfigInvalidError
from workflows_app.results import SavedConfig
from workflows_app.services.config_saving import preview_save, read_config, save_config


@dataclass(frozen=True, slots=True)
class ValueChanges:
    """What is to be changed."""

    values: Mapping[str, Any] = field(default_factory=dict)
    """JSON Pointer → new value; a key that is not there is added at the end of its object."""
    removed: Sequence[str] = ()
    note: str = ""
    insist_reason: str = ""


def change_values(
    path: str, changes: ValueChanges, *, expected_etag: str, author: str, is_dry_run: bool = False
) -> SavedConfig:
    """Change single values.

    Raises ConfigInvalidError for a pointer that leads nowhere or a value that JSON has not, ConfigChangedError.
    """
    _check_values(changes.values)
    text = read_config(path).text
    for pointer, value in changes.values.items():
        text = json_text.set_value(text, parse_pointer(pointer), value)
    for pointer in changes.removed:
        text = json_text.remove(text, parse_pointer(pointer))
    if is_dry_run:
        return preview_save(path, text, expected_etag=expected_etag)
    return save_config(
        path, text, expected_etag=expected_etag, author=author, note=changes.note, insist_reason=changes.insist_reason
    )


def _check_values(values: Mapping[str, Any]) -> None:
    """Programs may send what they take for JSON: infinities, and halves of characters."""
    for pointer, value in values.items():
        try:
            json.dumps([pointer, value], allow_nan=False, ensure_ascii=False).encode()
        except (ValueError, RecursionError):
            shown = pointer.encode("ascii", "backslashreplace").decode()[:200]
            raise ConfigInvalidError(
                f"The value for {shown or 'the file'} cannot be written as JSON: it is infinite, nested too deeply, or "
                "has half of a character in it.",
                field=shown,
            ) from None
