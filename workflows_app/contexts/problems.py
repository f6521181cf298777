"""What is wrong with the config files, as a list with links to each place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.urls import NoReverseMatch

from wilmer_site.lib.paging import Page, PageRequest
from workflows_app.configs.kinds import ConfigKind
from workflows_app.contexts.addresses import api_address, page_address, query_string
from workflows_app.contexts.labels import Label
from workflows_app.results import Problem, ProblemFilter, ProblemReport, Severity

SEVERITIES = {
    Severity.ERROR: Label("error", "error", "alert-triangle", "Will fail, or do something else than meant"),
    Severity.WARNING: Label("warning", "stale", "alert-triangle", "Probably wrong"),
    Severity.HINT: Label("hint", "info", "info-circle", "Worth a look"),
}
_PLURALS = {Severity.ERROR: "Errors", Severity.WARNING: "Warnings", Severity.HINT: "Hints"}


class Chip(NamedTuple):
    """A choice of the filter."""

    name: str
    url: str
    total: int
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class ProblemRow:
    """One problem."""

    problem: Problem
    severity: Label
    url: str
    """The editor at the place; empty where it cannot be opened."""
    message: tuple[tuple[str, bool], ...]
    """Pieces of the message; True for those that are names in the file."""
    mend: tuple[tuple[str, bool], ...]
    place: str
    """Such as `nodes › 3 › endpointName`."""

    @classmethod
    def build(cls, problem: Problem) -> ProblemRow:
        """With words, colour and address."""
        return cls(
            problem=problem,
            severity=SEVERITIES[problem.severity],
            url=editor_address(problem),
            message=split_code(problem.message),
            mend=split_code(problem.mend),
            place=format_place(problem.at),
        )


@dataclass(frozen=True, slots=True)
class FileGroup:
    """The problems of one file."""

    path: str
    url: str
    kind: str
    rows: tuple[ProblemRow, ...]


@dataclass(frozen=True, slots=True)
class ProblemListContext:
    """The problems page."""

    groups: tuple[FileGroup, ...]
    pages: Page[Problem]
    filter: ProblemFilter
    severities: tuple[Chip, ...]
    kinds: tuple[Chip, ...]
    users: tuple[str, ...]
    base_query: str
    list_url: str
    workflows_url: str
    api_url: str

    @classmethod
    def build(cls, wanted: ProblemFilter, report: ProblemReport, asked: PageRequest) -> ProblemListContext:
        """One page of problems, file by file."""
        parameters = _parameters(wanted)
        shown = _worst_first(report.problems)[asked.offset : asked.offset + asked.size]
        return cls(
            groups=tuple(_group(shown)),
            pages=Page(shown, len(report.problems), asked.number, asked.size),
            filter=wanted,
            severities=tuple(_severity_chip(wanted, each, report.by_severity) for each in Severity),
            kinds=tuple(_kind_chips(wanted, report.by_kind)),
            users=report.users,
            base_query=query_string(parameters),
            list_url=page_address("problem-list"),
            workflows_url=page_address("workflow-list"),
            api_url=api_address("config-problems", parameters=parameters),
        )

    @property
    def is_filtered(self) -> bool:
        """Whether anything is asked for."""
        return self.filter != ProblemFilter()


def editor_address(problem: Problem) -> str:
    """The editor of the file with the place marked."""
    try:
        return page_address("config-edit", problem.path, parameters=[("at", problem.at)])
    except NoReverseMatch:
        return ""


def format_place(pointer: str) -> str:
    """A JSON Pointer for people: positions in lists count from 1.

    >>> format_place("/nodes/2/endpointName")
    'nodes › 3 › endpointName'
    """
    parts = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    return " › ".join(str(int(part) + 1) if part.isdecimal() else part for part in parts)


def split_code(text: str) -> tuple[tuple[str, bool], ...]:
    """A sentence in pieces, those between back quotes marked.

    >>> split_code("Use `type` here.")
    (('Use ', False), ('type', True), (' here.', False))
    """
    return tuple((piece, bool(index % 2)) for index, piece in enumerate(text.split("`")) if piece)


def _worst_first(problems: Sequence[Problem]) -> list[Problem]:
    """Files with errors first, then those with warnings; within a file by line."""
    worst: dict[str, int] = {}
    for problem in problems:
        worst[problem.path] = min(problem.severity.rank, worst.get(problem.path, problem.severity.rank))
    return sorted(problems, key=lambda problem: worst[problem.path])


def _group(problems: Sequence[Problem]) -> list[FileGroup]:
    files: dict[str, list[Problem]] = {}
    for problem in problems:
        files.setdefault(problem.path, []).append(problem)
    return [
        FileGroup(
            path=path,
            url=editor_address(replace(found[0], at="")),
            kind=_kind_label(found[0].kind),
            rows=tuple(ProblemRow.build(problem) for problem in found),
        )
        for path, found in files.items()
    ]


def _severity_chip(wanted: ProblemFilter, severity: Severity, counts: Mapping[str, int]) -> Chip:
    is_on = wanted.severity == severity
    url = _address(replace(wanted, severity="" if is_on else severity))
    return Chip(_PLURALS[severity], url, counts.get(severity, 0), is_on)


def _kind_chips(wanted: ProblemFilter, counts: Mapping[str, int]) -> list[Chip]:
    kinds = [kind for kind in ConfigKind if counts.get(kind) or wanted.kind == kind]
    return [
        Chip(
            kind.label,
            _address(replace(wanted, kind="" if wanted.kind == kind else kind)),
            counts.get(kind, 0),
            wanted.kind == kind,
        )
        for kind in kinds
    ]


def _kind_label(kind: str) -> str:
    return ConfigKind(kind).label if kind else ""


def _address(wanted: ProblemFilter) -> str:
    return page_address("problem-list", parameters=_parameters(wanted))


def _parameters(wanted: ProblemFilter) -> list[tuple[str, object]]:
    return [
        ("severity", wanted.severity),
        ("kind", wanted.kind),
        ("user", wanted.user),
        ("text", wanted.text),
    ]
