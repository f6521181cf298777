"""A config file as a form: its fields in groups, what they show, and what is kept beside them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from workflows_app import wiring
from workflows_app.configs.fields import FieldSpec, FieldType, fields_of
from workflows_app.configs.form_values import ABSENT, Control, choose_control, seen_mark, show_value
from workflows_app.configs.kinds import ConfigKind, Reference
from workflows_app.configs.source import Pointer, format_pointer
from workflows_app.engine.config_secrets import list_secrets, mask_document
from workflows_app.queries.configs import find_config_kind
from workflows_app.queries.field_names import FieldNames
from workflows_app.stores.config_library import LibraryFile

GENERAL = "General"
_ENTRY_FIELDS = (
    FieldSpec("workflow", "Workflow", "In the user's folder.", FieldType.TEXT, None, refers_to=Reference.WORKFLOW),
    FieldSpec("description", "Description", "What the model reads to choose.", FieldType.LONG_TEXT, None),
)
"""The fields of one category of a routing file (configs.md §8)."""


@dataclass(frozen=True, slots=True)
class FormField:
    """One control of the form."""

    pointer: Pointer
    spec: FieldSpec
    control: Control
    text: str
    """What the control shows; for a secret nothing."""
    is_set: bool
    """Whether the file has the key; for a secret, whether there is one."""
    before: Any
    """The value in the file, ABSENT without the key; never of a secret."""
    options: tuple[str, ...] = ()
    is_removable: bool = False
    error: str = ""
    is_typed: bool = False
    """Whether `text` is what a person typed and the file does not have."""

    @property
    def key(self) -> str:
        """The field's JSON pointer, by which forms and the API name it."""
        return format_pointer(self.pointer)

    @property
    def shown(self) -> str:
        """What the file alone would have the control show."""
        return show_text(self.spec, self.control, self.before)

    @property
    def seen(self) -> str:
        """A mark of what the file has, to tell later whether a person or another program changed it."""
        return "" if self.control in {Control.SECRET, Control.FIXED} else seen_mark(self.shown)


@dataclass(frozen=True, slots=True)
class FormGroup:
    """Fields that belong together."""

    title: str
    fields: tuple[FormField, ...]
    adds_to: Pointer | None = None
    """Where a new key of this group goes; None when the keys are fixed."""
    options: tuple[str, ...] = ()
    """What a new key of this group may name."""
    is_removable: bool = False
    """Whether the group is one key of the file, and may be taken away as a whole."""
    pointer: Pointer = ()


@dataclass(frozen=True, slots=True)
class ConfigForm:
    """A config file ready to be shown as a form."""

    path: str
    kind: ConfigKind
    groups: tuple[FormGroup, ...]
    others: tuple[tuple[str, str], ...] = ()
    """Keys that nothing reads, with their JSON; they are kept."""
    problem: str = ""
    """Why there is no form; the file can still be edited as JSON."""
    order: tuple[str, ...] = ()
    """JSON pointers of the groups whose order means something (categories), as the file has them."""

    def find(self, key: str) -> FormField | None:
        """The field with this JSON pointer."""
        return self.fields_by_key().get(key)

    def fields_by_key(self) -> dict[str, FormField]:
        """Every field by its JSON pointer."""
        return {field.key: field for group in self.groups for field in group.fields}

    def with_fields(self, changed: Mapping[str, FormField]) -> ConfigForm:
        """The same form with other versions of some fields."""
        groups = [
            replace(group, fields=tuple(changed.get(field.key, field) for field in group.fields))
            for group in self.groups
        ]
        return replace(self, groups=tuple(groups))

    def with_order(self, order: Sequence[str]) -> ConfigForm:
        """The same form with its groups in another order; `order` stays that of the file."""
        places = {key: place for place, key in enumerate(order)}
        last = len(places)
        groups = sorted(self.groups, key=lambda group: places.get(format_pointer(group.pointer), last))
        return replace(self, groups=tuple(groups)) if order else self


def get_config_form(path: str) -> ConfigForm:
    """The form of a config file. Raises ConfigNotFoundError; what cannot be a form says why."""
    file = wiring.get_config_library().get(path)
    kind = find_config_kind(file)
    if file.problem:
        return ConfigForm(path, kind, (), problem=file.problem)
    if kind in {ConfigKind.STRUCTURED_OUTPUT, ConfigKind.WORKFLOW}:
        return ConfigForm(path, kind, (), problem="Files of this kind are edited as JSON.")
    if not isinstance(file.document, dict):
        return ConfigForm(path, kind, (), problem="The file must be a JSON object.")
    secrets, masked = set(list_secrets(path, file.document)), mask_document(path, file.document)
    groups = tuple(
        _hide_secrets(group, secrets, masked)
        for group in _build_groups(kind, file.document)
        if group.fields or group.adds_to is not None
    )
    order = tuple(format_pointer(group.pointer) for group in groups if group.is_removable)
    return ConfigForm(path, kind, _with_options(groups, file), tuple(_list_others(file, kind)), order=order)


def _hide_secrets(group: FormGroup, secrets: set[Pointer], masked: Mapping[str, Any]) -> FormGroup:
    """The group without secrets in fields that usually hold none, such as an address with a password."""
    return replace(group, fields=tuple(_hide_secret(found, secrets, masked) for found in group.fields))


def _hide_secret(found: FormField, secrets: set[Pointer], masked: Mapping[str, Any]) -> FormField:
    if found.spec.is_secret:
        return found
    if found.pointer in secrets:
        return _field(found.pointer, replace(found.spec, is_secret=True), found.before, found.is_removable)
    if any(secret[: len(found.pointer)] == found.pointer for secret in secrets):
        # A list with a secret among its lines is shown and edited with the mask; saving puts the secret back.
        return _field(found.pointer, found.spec, _value_at(masked, found.pointer), found.is_removable)
    return found


def _value_at(document: Any, pointer: Pointer) -> Any:
    for step in pointer:
        document = document[step]
    return document


def show_text(spec: FieldSpec, control: Control, value: Any) -> str:
    """What a control shows for a value; a switch that is not in the file shows its default."""
    return show_value(control, spec.default if control is Control.SWITCH and value is ABSENT else value)


def _build_groups(kind: ConfigKind, document: Mapping[str, Any]) -> Iterator[FormGroup]:
    if kind is ConfigKind.ROUTING:
        yield from _routing_groups(document)
    elif kind is ConfigKind.PRESET:
        fields = tuple(_field((key,), _spec_of_value(key, value), value, True) for key, value in document.items())
        yield FormGroup("Keys of the request", fields, adds_to=())
    else:
        yield from _plain_groups(fields_of(kind), document)


def _plain_groups(specs: Mapping[str, FieldSpec], document: Mapping[str, Any]) -> Iterator[FormGroup]:
    titles = list(dict.fromkeys(spec.group or GENERAL for spec in specs.values()))
    for title in titles:
        fields, secrets = [], []
        for name, spec in specs.items():
            value = document.get(name, ABSENT)
            if (spec.group or GENERAL) != title or (spec.is_unused and value is ABSENT):
                continue
            if spec.is_secret and spec.type is FieldType.OBJECT:
                secrets.append(_secret_group(name, spec, value))
            else:
                fields.append(_field((name,), spec, value))
        yield FormGroup(title, tuple(fields))
        yield from secrets


def _secret_group(name: str, spec: FieldSpec, value: Any) -> FormGroup:
    """The values of an object that holds secrets, one by one."""
    entries = value.items() if isinstance(value, dict) else ()
    one = replace(spec, type=FieldType.TEXT, help="")
    fields = tuple(_field((name, key), replace(one, name=key, title=key), text, True) for key, text in entries)
    return FormGroup(spec.title, fields, adds_to=(name,))


def _routing_groups(document: Mapping[str, Any]) -> Iterator[FormGroup]:
    for category, entry in document.items():
        values = entry if isinstance(entry, dict) else {}
        fields = tuple(_field((category, spec.name), spec, values.get(spec.name, ABSENT)) for spec in _ENTRY_FIELDS)
        yield FormGroup(category, fields, is_removable=True, pointer=(category,))
    yield FormGroup("New category", (), adds_to=())


def _field(pointer: Pointer, spec: FieldSpec, value: Any, is_removable: bool = False) -> FormField:
    control = choose_control(spec, value)
    is_hidden = control is Control.SECRET
    return FormField(
        pointer=pointer,
        spec=spec,
        control=control,
        text="" if control is Control.FIXED and spec.is_secret else show_text(spec, control, value),
        is_set=bool(value) and value is not ABSENT if is_hidden else value is not ABSENT,
        before=ABSENT if spec.is_secret else value,
        is_removable=is_removable,
    )


def _spec_of_value(key: str, value: Any) -> FieldSpec:
    """A field for a key that is known by its value alone."""
    kinds = ((bool, FieldType.SWITCH), (int, FieldType.NUMBER), (float, FieldType.NUMBER), (str, FieldType.TEXT))
    kind = next((kind for python, kind in kinds if isinstance(value, python)), FieldType.ANY)
    return FieldSpec(key, key, "", kind, None)


def _list_others(file: LibraryFile, kind: ConfigKind) -> Iterator[tuple[str, str]]:
    if kind in {ConfigKind.ROUTING, ConfigKind.PRESET}:
        return
    known = fields_of(kind)
    for key, value in mask_document(file.path, file.document).items():
        if key not in known:
            yield key, json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode()


def _with_options(groups: tuple[FormGroup, ...], file: LibraryFile) -> tuple[FormGroup, ...]:
    names = FieldNames.of(file)
    workflows = names.list_for(_ENTRY_FIELDS[0]) if file.area == ConfigKind.ROUTING.folder else ()
    return tuple(
        replace(
            group,
            fields=tuple(replace(field, options=names.list_for(field.spec)) for field in group.fields),
            options=workflows if group.adds_to is not None else (),
        )
        for group in groups
    )
