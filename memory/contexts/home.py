"""The first page: which folder is open, what is in it, what needs a look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.contexts.addresses import api_address, page_address
from memory.contexts.discussions import DiscussionRow
from memory.contexts.jobs import JobRow
from memory.contexts.pending_imports import PendingRow, build_pending_rows
from memory.queries.jobs import JobCard
from memory.results import Overview
from memory.services.pending_imports import PendingImport


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with what it counts and where it leads."""

    label: str
    value: int
    url: str
    tone: str = ""


@dataclass(frozen=True, slots=True)
class HomeContext:
    """The folder as a whole."""

    public_folder: str
    user: str
    figures: tuple[Figure, ...]
    last_writes: tuple[DiscussionRow, ...]
    worst: tuple[DiscussionRow, ...]
    config_counts: tuple[tuple[str, int], ...]
    notes: tuple[str, ...]
    discussion_count: int
    problem_count: int
    jobs: tuple[JobRow, ...]
    """Some of those that go on or wait for a decision."""
    api_url: str
    pending: tuple[PendingRow, ...] = ()
    """Chat files on their way."""

    @classmethod
    def build(
        cls, overview: Overview, jobs: Sequence[JobCard] = (), pending: Sequence[PendingImport] = ()
    ) -> HomeContext:
        """The first page of a folder."""
        return cls(
            public_folder=overview.public_folder,
            user=overview.user,
            figures=_figures(overview),
            last_writes=tuple(DiscussionRow.build(card) for card in overview.last_writes),
            worst=tuple(DiscussionRow.build(card) for card in overview.worst),
            config_counts=tuple(sorted(overview.config_counts.items())),
            notes=overview.notes,
            discussion_count=overview.discussion_count,
            problem_count=overview.problem_count,
            jobs=tuple(JobRow.build(card) for card in jobs),
            api_url=api_address("overview"),
            pending=build_pending_rows(pending),
        )

    @property
    def is_empty(self) -> bool:
        """Whether the folder has no discussion at all."""
        return self.discussion_count == 0


def _figures(overview: Overview) -> tuple[Figure, ...]:
    everything = page_address("discussion-list")
    return (
        Figure("Discussions", overview.discussion_count, everything),
        Figure("Chunks", overview.chunk_count, page_address("discussion-list", parameters=[("sort", "-chunks")])),
        Figure(
            "Vector memories",
            overview.memory_count,
            page_address("discussion-list", parameters=[("sort", "-memories")]),
        ),
        Figure("Locked", overview.locked_count, page_address("discussion-list", parameters=[("chip", "locked")])),
        Figure(
            "Problems",
            overview.problem_count,
            page_address("problem-list"),
            "error" if overview.problem_count else "ok",
        ),
    )
