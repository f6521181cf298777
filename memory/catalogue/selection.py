"""Filters, order and counts of the list of discussions, answered by the database from its indexes."""

from __future__ import annotations

from django.db.models import Count, F, QuerySet

from memory.models import CHIP_FIELDS, CatalogueEntry
from memory.results import DiscussionFilter
from wilmer_site.lib.errors import InvalidError

_SORT_FIELDS = {
    "last_write": ("last_write_ns",),
    "id": ("folded_id",),
    "chunks": ("chunk_count",),
    "memories": ("memory_count",),
    "size": ("size_bytes",),
    "health": ("health_rank", "problem_count"),
}


def select_entries(filter: DiscussionFilter) -> QuerySet[CatalogueEntry]:
    """The rows that match the text and every chip, in no order. Raises InvalidError for an unknown chip."""
    rows = CatalogueEntry.objects.all()
    if filter.text.strip():
        rows = rows.filter(folded_id__contains=filter.text.strip().casefold())
    return rows.filter(**{_field_of(chip): True for chip in filter.chips})


def order_entries(rows: QuerySet[CatalogueEntry], sort: str) -> QuerySet[CatalogueEntry]:
    """The rows in order, unknown values last, equal ones always in the same order. Raises InvalidError."""
    name = sort.removeprefix("-")
    if name not in _SORT_FIELDS:
        raise InvalidError(f"sort must be one of {', '.join(_SORT_FIELDS)}; it is {name!r}.", field="sort")
    fields = [F(field) for field in _SORT_FIELDS[name]]
    if sort.startswith("-"):
        return rows.order_by(*(field.desc(nulls_last=True) for field in fields), "-pk")
    return rows.order_by(*(field.asc(nulls_last=True) for field in fields), "pk")


def count_by_chips(filter: DiscussionFilter) -> dict[str, int]:
    """Chip → rows left when it is added to the filter: one pass over one narrow index."""
    rows = select_entries(filter)
    groups = rows.values(*CHIP_FIELDS.values()).annotate(total=Count("pk")).order_by()
    counts = dict.fromkeys(CHIP_FIELDS, 0)
    for group in groups:
        for chip, field in CHIP_FIELDS.items():
            counts[chip] += group["total"] if group[field] else 0
    return counts


def _field_of(chip: str) -> str:
    if chip not in CHIP_FIELDS:
        raise InvalidError(f"chip must be one of {', '.join(CHIP_FIELDS)}; it is {chip!r}.", field="chip")
    return CHIP_FIELDS[chip]
