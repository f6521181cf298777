"""One config file as a form, with what names it and what is wrong with it beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workflows_app.configs.fields import FieldSpec
from workflows_app.configs.form_values import Control
from workflows_app.configs.kinds import ConfigKind
from workflows_app.configs.source import format_pointer
from workflows_app.contexts.addresses import api_address, page_address
from workflows_app.contexts.configs import KIND_WORDS, KindWords, config_address, find_page_address
from workflows_app.queries.config_forms import ConfigForm, FormField, FormGroup
from workflows_app.queries.configs import ConfigUse
from workflows_app.queries.references import Reference
from workflows_app.results import Problem
from workflows_app.services.config_form_saving import FormOutcome

MIN_ROWS, MAX_ROWS = 2, 14
SHOWN_REFERENCES = 60


@dataclass(frozen=True, slots=True)
class FieldView:
    """One control as the template needs it."""

    field: FormField
    id: str
    placeholder: str
    rows: int
    is_wide: bool
    link: str
    """The page of what the value names, when it is there."""

    @classmethod
    def build(cls, found: FormField, number: str, link: str) -> FieldView:
        """Sizes and hints."""
        lines = found.text.count("\n") + 1 + len(found.text) // 80
        return cls(
            field=found,
            id=f"field-{number}",
            placeholder=_placeholder(found),
            rows=min(max(lines, MIN_ROWS), MAX_ROWS),
            is_wide=found.control in {Control.AREA, Control.JSON, Control.LINES, Control.FIXED},
            link=link,
        )


@dataclass(frozen=True, slots=True)
class GroupView:
    """Fields that belong together."""

    group: FormGroup
    id: str
    key: str
    """JSON pointer of the group, when it is one key of the file."""
    adds_to: str
    can_add: bool
    fields: tuple[FieldView, ...]
    set_count: int


@dataclass(frozen=True, slots=True)
class ReferenceLine:
    """One name in one file."""

    reference: Reference
    url: str
    title: str
    target: str
    is_missing: bool


@dataclass(frozen=True, slots=True)
class UseView:
    """What names the file, what it names, and what is wrong with it."""

    use: ConfigUse
    incoming: tuple[ReferenceLine, ...]
    more_incoming: int
    outgoing: tuple[ReferenceLine, ...]
    problems: tuple[Problem, ...]

    @classmethod
    def build(cls, use: ConfigUse) -> UseView:
        """Links to the other files."""
        incoming = tuple(_incoming_line(reference) for reference in use.incoming[:SHOWN_REFERENCES])
        outgoing = (
            _outgoing_line(reference, use, target)
            for reference in use.outgoing
            for target in dict.fromkeys(reference.targets.values())
        )
        return cls(
            use=use,
            incoming=incoming,
            more_incoming=len(use.incoming) - len(incoming),
            outgoing=tuple(outgoing)[:SHOWN_REFERENCES],
            problems=tuple(sorted(use.problems, key=lambda problem: (problem.severity.rank, problem.line))),
        )


@dataclass(frozen=True, slots=True)
class ConfigDetailContext:
    """The page of one config file."""

    form: ConfigForm
    words: KindWords
    groups: tuple[GroupView, ...]
    use: UseView
    masked_text: str
    memory: Any
    """Memory settings in plain words, with the simulator; None for other kinds."""
    urls: Mapping[str, str]
    name: str
    folder: str
    notes: tuple[str, ...] = ()
    errors: tuple[Mapping[str, Any], ...] = ()
    """Errors that the file would have; to be insisted upon."""
    is_clash: bool = False
    note: str = ""
    undo: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def build(
        cls, outcome: FormOutcome, use: ConfigUse, masked_text: str, *, memory: Any = None, **more: Any
    ) -> ConfigDetailContext:
        """The page, or the page again after an answer that could not be saved."""
        form = outcome.form
        return cls(
            form=form,
            words=KIND_WORDS[form.kind],
            groups=tuple(_group_view(group, number, use) for number, group in enumerate(form.groups)),
            use=UseView.build(use),
            masked_text=masked_text,
            memory=memory,
            urls=_list_urls(form),
            name=use.entry.name,
            folder=use.entry.folder,
            notes=outcome.notes,
            errors=outcome.problems,
            is_clash=outcome.is_clash,
            **more,
        )


def _list_urls(form: ConfigForm) -> dict[str, str]:
    path = form.path
    return {
        "self": config_address(path),
        "list": page_address("config-list"),
        "kind": page_address("config-kind-list", form.kind.value),
        "edit": find_page_address("config-edit", path),
        "versions": find_page_address("config-versions", path),
        "copy": page_address("config-copy", path),
        "rename": page_address("config-rename", path),
        "removal": page_address("config-removal", path),
        "test": page_address("endpoint-test", path) if form.kind is ConfigKind.ENDPOINT else "",
        "undo": page_address("config-undo"),
        "simulation": page_address("config-simulation", path),
        "api": api_address("config-references", parameters=[("path", path)]),
    }


def _group_view(group: FormGroup, number: int, use: ConfigUse) -> GroupView:
    links = {reference.json_pointer: reference for reference in use.outgoing}
    fields = tuple(
        FieldView.build(found, f"{number}-{at}", _link(links.get(found.key), use))
        for at, found in enumerate(group.fields)
    )
    return GroupView(
        group=group,
        id=f"group-{number}",
        key=format_pointer(group.pointer) if group.is_removable else "",
        adds_to=format_pointer(group.adds_to or ()),
        can_add=group.adds_to is not None,
        fields=fields,
        set_count=sum(found.is_set for found in group.fields),
    )


def _link(reference: Reference | None, use: ConfigUse) -> str:
    targets = list(dict.fromkeys(reference.targets.values())) if reference else []
    return config_address(targets[0]) if len(targets) == 1 and targets[0] not in use.missing else ""


def _placeholder(found: FormField) -> str:
    default = found.spec.default
    if found.control is Control.SECRET:
        return "set; type to replace" if found.is_set else "not set"
    if default in (None, "", [], {}):
        return "" if found.is_set else "not set"
    return f"default: {default if isinstance(default, str) else json.dumps(default, ensure_ascii=False)}"


def _incoming_line(reference: Reference) -> ReferenceLine:
    return ReferenceLine(reference, config_address(reference.source), reference.source, reference.source, False)


def _outgoing_line(reference: Reference, use: ConfigUse, target: str) -> ReferenceLine:
    is_missing = target in use.missing
    return ReferenceLine(reference, "" if is_missing else config_address(target), reference.name, target, is_missing)


def group_titles(groups: Sequence[GroupView]) -> list[tuple[str, str]]:
    """Links to the groups of a long form."""
    return [(group.group.title, f"#{group.id}") for group in groups]


def is_known_choice(spec: FieldSpec, text: str) -> bool:
    """Whether a select has an option for the text."""
    return text in {str(choice) for choice in spec.choices}
