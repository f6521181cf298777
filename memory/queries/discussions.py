"""Lists of discussions from the catalogue; one discussion read fresh from disk."""

from __future__ import annotations

from memory.catalogue.facts import gather_facts
from memory.catalogue.refresh import refresh_catalogue, refresh_discussions
from memory.catalogue.rows import assess, card_of
from memory.catalogue.selection import count_by_chips, order_entries, select_entries
from memory.engine.hashing import hash_api_key
from memory.errors import DiscussionNotFoundError
from memory.models import CatalogueEntry
from memory.results import ApiKeys, DiscussionCard, DiscussionFilter, DiscussionHeader
from memory.types import ApiKey, DiscussionRef, FileState
from memory.wiring import get_public_folder, open_discussion
from wilmer_site.lib.paging import Page, PageRequest


def list_discussions(filter: DiscussionFilter, page: PageRequest) -> Page[DiscussionCard]:
    """One page of discussions. Every one that is shown was looked at just now; what was deleted meanwhile is left out.

    Raises InvalidError for an unknown chip or sort.
    """
    refresh_catalogue()
    matching = select_entries(filter)
    shown = list(order_entries(matching, filter.sort)[page.offset : page.offset + page.size])
    refresh_discussions([DiscussionRef.parse(entry.ref) for entry in shown])
    fresh = CatalogueEntry.objects.in_bulk([entry.ref for entry in shown], field_name="ref")
    items = [card_of(fresh[entry.ref]) for entry in shown if entry.ref in fresh]
    return Page(items, matching.count(), page.number, page.size)


def list_refs(filter: DiscussionFilter, *, limit: int | None = None) -> tuple[DiscussionRef, ...]:
    """All discussions that pass, or the first of them, in order. Raises InvalidError for an unknown chip or sort."""
    refresh_catalogue()
    found = order_entries(select_entries(filter), filter.sort).values_list("ref", flat=True)
    return tuple(DiscussionRef.parse(text) for text in found[:limit])


def count_chips(filter: DiscussionFilter) -> dict[str, int]:
    """Chip → how many discussions are left when it is added to what the filter asks for already.

    Raises InvalidError for an unknown chip.
    """
    refresh_catalogue()
    return count_by_chips(filter)


def get_header(ref: DiscussionRef, keys: ApiKeys) -> DiscussionHeader:
    """The strip above every tab, read from disk. Raises DiscussionNotFoundError."""
    discussion = open_discussion(ref, keys)
    version = discussion.version()
    facts = gather_facts(discussion, get_public_folder())
    card, _ = assess(facts)
    is_locked = any(report.state is FileState.LOCKED for report in facts.files)
    return DiscussionHeader(
        card=card,
        files=facts.files,
        is_locked=is_locked,
        is_unlocked=card.is_encrypted and not is_locked,
        version=version,
    )


def find_version(ref: DiscussionRef) -> str | None:
    """A text that changes with any file of the discussion; None when there is no such discussion."""
    try:
        return open_discussion(ref).version()
    except DiscussionNotFoundError:
        return None


def unlock(ref: DiscussionRef, api_key: ApiKey) -> bool:
    """Whether this key is the one the discussion is kept under, and opens its encrypted files.

    Raises DiscussionNotFoundError.
    """
    discussion = open_discussion(ref, {hash_api_key(api_key): api_key})
    if hash_api_key(api_key) != ref.key_hash:
        return False
    return all(report.state is not FileState.LOCKED for report in discussion.reports())
