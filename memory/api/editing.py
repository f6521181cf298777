"""What writing operations on a discussion share: who edits, and what becomes of the outcome."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from memory.api.requests import find_keys
from memory.api.writing import ANY, intent_of, require_match
from memory.schemas.changes import WrittenSchema
from memory.services.editing import Clash, Editor, Outcome
from memory.types import DiscussionRef
from wilmer_site.lib.errors import InvalidError, PreconditionFailedError


def editor_of(request: HttpRequest, ref: DiscussionRef) -> Editor:
    """Who asks for a change of this discussion, and whether only to try."""
    intent = intent_of(request)
    return Editor(ref, intent.actor, find_keys(request), intent.is_dry_run)


def match_version(request: HttpRequest, current: str, *also: str, **texts: Any) -> str | None:
    """The version to change: the current one once If-Match named it, None for any. Raises PreconditionFailedError.

    `also` are other names of the same version. It is compared once more under the lock, so a write in between is not
    lost either.
    """
    require_match(request, [current, *also], **texts)
    match = intent_of(request).match
    return None if match is None or ANY in match else current


def require_count(asked: int, found: int) -> None:
    """Raises InvalidError unless the client said how many things go."""
    if asked != found:
        raise InvalidError(f"{found} would be deleted, not {asked}. Send the number as count.", field="count")


def written(outcome: Outcome) -> dict[str, Any]:
    """The answer to a change. Raises PreconditionFailedError with both texts for a clash."""
    if isinstance(outcome, Clash):
        raise PreconditionFailedError(
            f"Somebody changed {outcome.what} since you read it. Decide which text shall stay.",
            theirs=outcome.theirs,
            yours=outcome.yours,
            versions=[outcome.version],
        )
    return WrittenSchema.build(outcome)
