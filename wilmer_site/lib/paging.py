"""Pages of a list as values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from wilmer_site.lib.errors import InvalidError

T = TypeVar("T")
U = TypeVar("U")

MAX_PAGE_SIZE = 500


@dataclass(frozen=True, slots=True)
class PageRequest:
    """Which page (from 1) of how many items each."""

    number: int = 1
    size: int = 50

    def __post_init__(self) -> None:
        if self.number < 1:
            raise InvalidError("page must be 1 or more.", field="page")
        if not 1 <= self.size <= MAX_PAGE_SIZE:
            raise InvalidError(f"page size must be from 1 to {MAX_PAGE_SIZE}.", field="size")

    @property
    def offset(self) -> int:
        """How many items come before this page."""
        return (self.number - 1) * self.size


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some items of a list, and where they stand in it."""

    items: list[T]
    total: int
    number: int
    size: int

    @property
    def count_pages(self) -> int:
        """At least one, so that an empty list still has a page to show."""
        return max(1, -(-self.total // self.size))

    @property
    def has_next(self) -> bool:
        """Whether a later page has items."""
        return self.number < self.count_pages

    @property
    def has_previous(self) -> bool:
        """Whether an earlier page exists."""
        return self.number > 1

    def map(self, change: Callable[[T], U]) -> Page[U]:
        """The same page with every item changed."""
        return Page([change(item) for item in self.items], self.total, self.number, self.size)


def slice_page(items: list[T], request: PageRequest) -> Page[T]:
    """Cut one page out of a list that is in memory."""
    part = items[request.offset : request.offset + request.size]
    return Page(part, len(items), request.number, request.size)
