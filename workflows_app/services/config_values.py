"""Single values of a config file, set or removed by their JSON Pointers; everything else stays as it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workflows_app.configs.source import parse_pointer
from workflows_app.engine import json_text
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
    """Change single values. Raises ConfigInvalidError for a pointer that leads nowhere, ConfigChangedError."""
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
