"""What the home page says of the whole public folder."""

from __future__ import annotations

from django.db.models import Count, Q, Sum

from memory.catalogue.refresh import refresh_catalogue
from memory.catalogue.rows import card_of
from memory.engine.wording import format_count
from memory.models import CatalogueEntry
from memory.results import DiscussionCard, Overview
from memory.stores.config_counts import count_configs
from memory.wiring import get_public_folder, get_user_name

SHOWN = 5
"""How many discussions each short list of the home page has."""


def get_overview() -> Overview:
    """Counts over every discussion and config of the public folder. Locked chunks are not counted."""
    refresh_catalogue()
    folder = get_public_folder()
    totals = CatalogueEntry.objects.aggregate(
        discussions=Count("pk"),
        locked=Count("pk", filter=Q(is_locked=True)),
        problems=Sum("problem_count"),
        chunks=Sum("chunk_count"),
        memories=Sum("memory_count"),
        unread=Count("pk", filter=Q(is_read=False)),
    )
    return Overview(
        public_folder=str(folder.public_root),
        user=get_user_name(),
        discussion_count=totals["discussions"],
        locked_count=totals["locked"],
        problem_count=totals["problems"] or 0,
        chunk_count=totals["chunks"] or 0,
        memory_count=totals["memories"] or 0,
        last_writes=_cards("-last_write_ns"),
        worst=_cards("-health_rank", "-problem_count", has_problems=True),
        config_counts=count_configs(folder.config_root),
        notes=tuple(_notes(folder.discussions_root.is_dir(), totals["unread"])),
    )


def _cards(*order: str, **conditions: bool) -> tuple[DiscussionCard, ...]:
    return tuple(
        card_of(entry) for entry in CatalogueEntry.objects.filter(**conditions).order_by(*order, "-pk")[:SHOWN]
    )


def _notes(has_discussions_folder: bool, unread: int) -> list[str]:
    notes = []
    if not has_discussions_folder:
        notes.append("There is no discussions folder yet. WilmerAI makes it when the first discussion is remembered.")
    if unread:
        notes.append(
            f"{format_count(unread, 'discussion')} still to be read; counts and problems are not complete yet."
        )
    return notes
