"""What a rule gives: a finding, before it becomes a problem with a place in a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from workflows_app.configs.documents import Document
from workflows_app.configs.source import Pointer, format_pointer
from workflows_app.lint.rules import RULES
from workflows_app.results import Problem, Severity

_USERS_NAMED = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong at one place of one file; `user` when it is wrong for that user."""

    code: str
    path: str
    at: Pointer
    message: str
    mend: str = ""
    severity: Severity | None = None
    """None: that of the rule."""
    user: str = ""
    position: tuple[int, int] | None = None
    """Line and column where the pointer does not lead to the place."""

    @property
    def level(self) -> Severity:
        """The severity that counts."""
        return self.severity or RULES[self.code].severity


@dataclass
class _Group:
    finding: Finding
    users: list[str] = field(default_factory=list)


def build_problems(findings: Iterable[Finding], documents: dict[str, Document]) -> tuple[Problem, ...]:
    """One problem for each place and rule, in the order of files and lines; the users concerned are named once."""
    problems = [_build(group, documents) for group in _merged(findings).values()]
    return tuple(sorted(problems, key=lambda item: (item.path, item.line, item.column, item.severity.rank, item.code)))


def _merged(findings: Iterable[Finding]) -> dict[tuple[str, str, Pointer, str], _Group]:
    groups: dict[tuple[str, str, Pointer, str], _Group] = {}
    for finding in findings:
        key = (finding.code, finding.path, finding.at, finding.message)
        group = groups.setdefault(key, _Group(finding))
        if finding.level.rank < group.finding.level.rank:
            group.finding = replace(group.finding, severity=finding.level)
        if finding.user and finding.user not in group.users:
            group.users.append(finding.user)
    return groups


def _build(group: _Group, documents: dict[str, Document]) -> Problem:
    finding = group.finding
    document = documents.get(finding.path)
    line, column = finding.position or (document.locate(finding.at) if document else (1, 1))
    return Problem(
        code=finding.code,
        severity=finding.level,
        message=_with_users(finding.message, group.users),
        mend=finding.mend,
        path=finding.path,
        at=format_pointer(finding.at),
        line=line,
        column=column,
        kind=str(document.kind) if document and document.kind else "",
    )


def _with_users(message: str, users: list[str]) -> str:
    if not users:
        return message
    named = ", ".join(users[:_USERS_NAMED])
    more = f" and {len(users) - _USERS_NAMED} more" if len(users) > _USERS_NAMED else ""
    whom = f"(for the {'user' if len(users) == 1 else 'users'} {named}{more})"
    return f"{message[:-1]} {whom}." if message.endswith(".") else f"{message} {whom}"


def with_user(findings: Iterable[Finding], user: str) -> Iterator[Finding]:
    """The same findings, as true for one user."""
    return (replace(finding, user=user) for finding in findings)
