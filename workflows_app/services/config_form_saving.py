"""What a person changed in the form of a config file, written so that nothing else in the file changes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from workflows_app import wiring
from workflows_app.configs.form_values import ABSENT, Control, normalise, read_text, seen_mark
from workflows_app.configs.kinds import ConfigKind
from workflows_app.configs.source import format_pointer
from workflows_app.engine import json_text
from workflows_app.errors import ConfigHasErrorsError, ConfigInvalidError
from workflows_app.queries.config_forms import ConfigForm, FormField, FormGroup, get_config_form
from workflows_app.results import SavedConfig
from workflows_app.services.config_saving import read_config, save_config

MAX_KEY = 200


@dataclass(frozen=True, slots=True)
class Typed:
    """What one control came back with."""

    text: str
    seen: str | None = None
    """The mark of what the control showed; None: whoever sends it means to set it, whatever is there."""


@dataclass(frozen=True, slots=True)
class Added:
    """A new key."""

    parent: str
    """JSON pointer of the object it goes into; empty for the file itself."""
    name: str
    text: str
    description: str = ""
    """Of a category."""


@dataclass(frozen=True, slots=True)
class FormChanges:
    """Everything a form came back with. Keys are JSON pointers."""

    typed: Mapping[str, Typed]
    cleared: frozenset[str] = frozenset()
    """Secrets to be emptied."""
    removed: frozenset[str] = frozenset()
    added: tuple[Added, ...] = ()
    order: tuple[str, ...] = ()
    """The groups in a new order; empty: nobody moved one."""


@dataclass(frozen=True, slots=True)
class FormOutcome:
    """What came of it: saved, or the form again with what is in the way."""

    form: ConfigForm
    saved: SavedConfig | None = None
    is_clash: bool = False
    """Whether another program changed something that was typed, too."""
    notes: tuple[str, ...] = ()
    """What is in the way, where no single field is to blame."""
    problems: tuple[Mapping[str, Any], ...] = ()
    """Errors that the file would have; it is saved with them only for a stated reason."""


@dataclass(slots=True)
class _Reading:
    """The answers read against the file as it is now."""

    form: ConfigForm
    text: str
    failed: dict[str, FormField] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    is_clash: bool = False


def save_form(path: str, changes: FormChanges, *, author: str, note: str = "", insist_reason: str = "") -> FormOutcome:
    """Write what was changed. Nothing is written when any of it cannot be, or when another program was faster.

    Raises ConfigNotFoundError, ConfigInvalidError for a file that has no form, RefusedError in a read-only console.
    """
    wiring.check_may_write()
    document = read_config(path)
    form = get_config_form(path)
    if form.problem:
        raise ConfigInvalidError(form.problem, path=path)
    reading = _Reading(form, document.text)
    _read_typed(reading, changes)
    _read_added(reading, changes)
    _read_removed(reading, changes)
    _read_order(reading, changes)
    if reading.failed or reading.notes:
        return _again(reading, changes)
    try:
        saved = save_config(
            path, reading.text, expected_etag=document.etag, author=author, note=note, insist_reason=insist_reason
        )
    except ConfigHasErrorsError as error:
        problems = tuple(error.extra["problems"])
        return replace(_again(reading, changes), notes=(error.message,), problems=problems)
    return FormOutcome(get_config_form(path), saved)


def _read_typed(reading: _Reading, changes: FormChanges) -> None:
    fields = reading.form.fields_by_key()
    for key, typed in changes.typed.items():
        found = fields.get(key)
        if found is None:
            reading.notes.append(f"{key[:200]} is no field of this file any more.")
        elif key in changes.cleared:
            reading.text = json_text.set_value(reading.text, found.pointer, "")
        elif _is_touched(found, typed):
            _read_one(reading, found, typed)


def _is_touched(found: FormField, typed: Typed) -> bool:
    if found.control is Control.FIXED:
        return False
    if found.control is Control.SECRET:
        return bool(typed.text)
    if typed.seen is None:
        return normalise(typed.text) != normalise(found.shown) or not found.is_set
    return seen_mark(_as_shown(found, typed.text)) != typed.seen


def _as_shown(found: FormField, text: str) -> str:
    return ("on" if text else "") if found.control is Control.SWITCH else normalise(text)


def _read_one(reading: _Reading, found: FormField, typed: Typed) -> None:
    try:
        value = read_text(found.spec, found.control, typed.text, found.before)
    except ConfigInvalidError as error:
        reading.failed[found.key] = _typed_again(found, typed, error.message)
        return
    if typed.seen is not None and found.seen != typed.seen:
        reading.is_clash = True
        message = f"Another program changed this meanwhile, to: {found.shown or 'nothing'}. Save again to replace it."
        reading.failed[found.key] = _typed_again(found, typed, message)
    elif value is not ABSENT:
        reading.text = json_text.set_value(reading.text, found.pointer, value)
    elif found.is_set:
        reading.text = json_text.remove(reading.text, found.pointer)


def _typed_again(found: FormField, typed: Typed, error: str = "") -> FormField:
    text = "" if found.control is Control.SECRET else _as_shown(found, typed.text)
    return replace(found, text=text, error=error, is_typed=True)


def _read_added(reading: _Reading, changes: FormChanges) -> None:
    groups = {format_pointer(group.adds_to): group for group in reading.form.groups if group.adds_to is not None}
    for added in changes.added:
        group, name = groups.get(added.parent), added.name.strip()
        if not name:
            if added.text or added.description:
                reading.notes.append("A new key needs a name.")
        elif group is None or len(name) > MAX_KEY or reading.form.find(f"{added.parent}{format_pointer((name,))}"):
            reading.notes.append(
                f"{name[:60]!r} cannot be added: it is there already, too long, or in the wrong place."
            )
        else:
            reading.text = _add(reading.text, group, name, _new_value(reading.form.kind, added))


def _add(text: str, group: FormGroup, name: str, value: Any) -> str:
    parent = group.adds_to or ()
    place = json_text.find_place(text, parent)
    if place is None or place.kind != "object":
        return json_text.set_value(text, parent, {name: value})
    if any(member.key == name for member in place.members):
        raise ConfigInvalidError(f"There is a key {name!r} already.", field=name)
    return json_text.set_value(text, (*parent, name), value)


def _new_value(kind: ConfigKind, added: Added) -> Any:
    if kind is ConfigKind.ROUTING:
        return {"workflow": added.text.strip(), "description": normalise(added.description)}
    if kind is not ConfigKind.PRESET:
        return added.text
    try:
        return json.loads(added.text)
    except (ValueError, RecursionError):
        return added.text


def _read_removed(reading: _Reading, changes: FormChanges) -> None:
    for pointer in _removable(reading.form):
        if format_pointer(pointer) in changes.removed and json_text.find_place(reading.text, pointer):
            reading.text = json_text.remove(reading.text, pointer)


def _read_order(reading: _Reading, changes: FormChanges) -> None:
    known = {format_pointer(group.pointer): group.pointer for group in reading.form.groups if group.is_removable}
    wanted = [known[key] for key in dict.fromkeys(changes.order) if key in known]
    there = [pointer for pointer in wanted if json_text.find_place(reading.text, pointer)]
    for position, pointer in enumerate(there):
        reading.text = json_text.move_item(reading.text, pointer, position)


def _removable(form: ConfigForm) -> Iterator[tuple[str | int, ...]]:
    for group in form.groups:
        if group.is_removable:
            yield group.pointer
        yield from (found.pointer for found in group.fields if found.is_removable)


def _again(reading: _Reading, changes: FormChanges) -> FormOutcome:
    """The form with everything as it was typed."""
    fields = reading.form.fields_by_key()
    typed = {
        key: _typed_again(found, answer)
        for key, answer in changes.typed.items()
        if (found := fields.get(key)) and _is_touched(found, answer)
    }
    form = reading.form.with_fields({**typed, **reading.failed}).with_order(changes.order)
    return FormOutcome(form, is_clash=reading.is_clash, notes=tuple(reading.notes))
