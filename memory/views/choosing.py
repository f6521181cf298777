"""Which discussions a list was asked for: those that were ticked, or all that pass its filter."""

from __future__ import annotations

from django.http import QueryDict

from memory.forms import parse_discussion_filter
from memory.forms_history import parse_refs
from memory.queries.discussions import list_refs
from memory.types import DiscussionRef
from wilmer_site.lib.errors import InvalidError

MOST = 10_000
"""So many go in one step."""


def chosen_refs(data: QueryDict) -> tuple[DiscussionRef, ...]:
    """The discussions; none when nothing was ticked or nothing passes. Raises InvalidError for too many."""
    if not data.get("all"):
        return parse_refs(data)
    refs = list_refs(parse_discussion_filter(data))
    if len(refs) > MOST:
        raise InvalidError(f"{len(refs):,} discussions pass the filter; at most {MOST:,} go in one step. Narrow it.")
    return refs
