"""What the pagination component needs to say where one is."""

from __future__ import annotations

from typing import Any

from django.template import Library

from wilmer_site.lib.paging import Page

register = Library()

NEIGHBOURS = 2
"""Pages shown on either side of the current one."""


@register.filter
def first_item(page: Page[Any]) -> int:
    """The number, from 1, of the first item on a page; 0 for an empty list."""
    return min((page.number - 1) * page.size + 1, page.total)


@register.filter
def last_item(page: Page[Any]) -> int:
    """The number of the last item on a page."""
    return min(page.number * page.size, page.total)


@register.filter
def page_numbers(page: Page[Any]) -> list[int | None]:
    """The page numbers to link, None where some are left out: 1 … 4 5 6 7 8 … 20."""
    last = page.count_pages
    near = range(page.number - NEIGHBOURS, page.number + NEIGHBOURS + 1)
    shown = sorted({1, last, *(number for number in near if 1 <= number <= last)})
    numbers: list[int | None] = []
    for number in shown:
        if numbers and number - (numbers[-1] or 0) > 1:
            numbers.append(None)
        numbers.append(number)
    return numbers


@register.filter
def page_url(page: Page[Any], step: int) -> str:
    """The query of the page some steps away."""
    return number_url(page.number + step)


@register.filter
def number_url(number: int) -> str:
    """The query of a page."""
    return f"page={number}"


@register.filter
def query(own: str, base: str | None) -> str:
    """A query string that keeps what was there: `?base&own`."""
    return f"?{base}&{own}" if base else f"?{own}"
