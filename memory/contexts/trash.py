"""Deleted discussions, and what deleting would move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.contexts.addresses import api_address, page_address
from memory.contexts.labels import format_id
from memory.engine.wording import format_count
from memory.forms_history import CountForm
from memory.services.trash import TrashEntry, Trashing
from memory.types import DiscussionRef

MOST_SHOWN = 50
"""So many discussions are named."""


@dataclass(frozen=True, slots=True)
class TrashRow:
    """One deleted discussion."""

    name: str
    title: str
    key_hash: str
    deleted_at: datetime | None
    actor: str
    file_count: int
    size_bytes: int
    problem: str
    restore_url: str

    @classmethod
    def build(cls, entry: TrashEntry) -> TrashRow:
        """Words for one entry."""
        return cls(
            name=entry.name,
            title=format_id(entry.ref.discussion_id) if entry.ref else entry.name,
            key_hash=(entry.ref.key_hash or "") if entry.ref else "",
            deleted_at=entry.deleted_at,
            actor=entry.actor,
            file_count=entry.file_count,
            size_bytes=entry.size_bytes,
            problem=entry.problem,
            restore_url=page_address("trash-undo", entry.name),
        )


@dataclass(frozen=True, slots=True)
class TrashListContext:
    """Everything in the trash."""

    rows: tuple[TrashRow, ...]
    size_bytes: int
    api_url: str

    @classmethod
    def build(cls, entries: Sequence[TrashEntry]) -> TrashListContext:
        """The page of the trash."""
        return cls(
            rows=tuple(TrashRow.build(entry) for entry in entries),
            size_bytes=sum(entry.size_bytes for entry in entries),
            api_url=api_address("trash"),
        )


@dataclass(frozen=True, slots=True)
class PurgeContext:
    """Which deleted discussions would go for ever."""

    rows: tuple[TrashRow, ...]
    form: CountForm
    size_bytes: int
    file_count: int
    api_url: str

    @classmethod
    def build(cls, entries: Sequence[TrashEntry], form: CountForm) -> PurgeContext:
        """The page that asks for the number."""
        return cls(
            rows=tuple(TrashRow.build(entry) for entry in entries),
            form=form,
            size_bytes=sum(entry.size_bytes for entry in entries),
            file_count=sum(entry.file_count for entry in entries),
            api_url=api_address("trash"),
        )

    @property
    def what(self) -> str:
        """How many, in words."""
        return format_count(len(self.rows), "deleted discussion")


@dataclass(frozen=True, slots=True)
class TrashingRow:
    """One discussion that would be deleted."""

    ref: DiscussionRef
    title: str
    files: tuple[str, ...]
    size_bytes: int
    others: tuple[str, ...]
    problem: str

    @classmethod
    def build(cls, plan: Trashing) -> TrashingRow:
        """Words for one discussion."""
        title = format_id(plan.ref.discussion_id)
        return cls(plan.ref, title, plan.files, plan.size_bytes, plan.others, plan.problem)


@dataclass(frozen=True, slots=True)
class TrashConfirmContext:
    """What deleting some discussions would move."""

    rows: tuple[TrashingRow, ...]
    form: CountForm
    size_bytes: int
    file_count: int
    back_url: str
    api_url: str

    @classmethod
    def build(cls, plans: Sequence[Trashing], form: CountForm) -> TrashConfirmContext:
        """The page that asks."""
        is_one = len(plans) == 1
        return cls(
            rows=tuple(TrashingRow.build(plan) for plan in plans),
            form=form,
            size_bytes=sum(plan.size_bytes for plan in plans),
            file_count=sum(len(plan.files) for plan in plans),
            back_url=page_address("discussion-detail", plans[0].ref) if is_one else page_address("discussion-list"),
            api_url=api_address("trash"),
        )

    @property
    def what(self) -> str:
        """How many, in words."""
        return format_count(len(self.rows), "discussion")

    @property
    def shown(self) -> tuple[TrashingRow, ...]:
        """The first of them, those that stay before all others."""
        return tuple(sorted(self.rows, key=lambda row: not row.problem)[:MOST_SHOWN])

    @property
    def more(self) -> int:
        """How many are not named."""
        return len(self.rows) - len(self.shown)

    @property
    def may_go(self) -> bool:
        """Whether at least one can be deleted."""
        return any(not row.problem for row in self.rows)

    @property
    def asks_for_number(self) -> bool:
        """One discussion goes with a click, for it can be put back; several ask for their number."""
        return len(self.rows) > 1
