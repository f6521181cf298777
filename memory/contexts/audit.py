"""The audit log as a page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memory.contexts.addresses import api_address, page_address, query_string, size_parameter
from memory.contexts.labels import format_id
from memory.engine.audit import AuditFilter, AuditLine
from wilmer_site.lib.paging import Page


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One line."""

    at: datetime
    actor: str
    action: str
    target: str
    details: tuple[tuple[str, str], ...]

    @classmethod
    def build(cls, line: AuditLine) -> AuditRow:
        """Words for one line."""
        details = tuple((name.replace("_", " "), str(value)) for name, value in line.details.items())
        return cls(
            line.at, line.actor, line.action.replace("-", " "), format_id(line.target) if line.target else "", details
        )


@dataclass(frozen=True, slots=True)
class AuditListContext:
    """One page of the audit log."""

    rows: tuple[AuditRow, ...]
    pages: Page[AuditLine]
    filter: AuditFilter
    actors: tuple[str, ...]
    actions: tuple[str, ...]
    base_query: str
    reset_url: str
    api_url: str

    @classmethod
    def build(
        cls, page: Page[AuditLine], wanted: AuditFilter, choices: tuple[tuple[str, ...], tuple[str, ...]]
    ) -> AuditListContext:
        """The page of the log; `choices` are who and what can be filtered by."""
        parameters = [("actor", wanted.actor), ("action", wanted.action), ("target", wanted.target)]
        return cls(
            rows=tuple(AuditRow.build(line) for line in page.items),
            pages=page,
            filter=wanted,
            actors=choices[0],
            actions=choices[1],
            base_query=query_string([*parameters, size_parameter(page)]),
            reset_url=page_address("audit-list"),
            api_url=api_address("audit", parameters=parameters),
        )

    @property
    def is_filtered(self) -> bool:
        """Whether fewer than all lines are wanted."""
        return self.filter != AuditFilter()
