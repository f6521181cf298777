"""The history kept below its limit: the oldest contents go first, who wrote what when stays told.

Never dropped are the newest version of a file, what a batch younger than a day needs to be taken back, and what a
write that is under way has noted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Sum

from memory.models import Revision, RevisionContent
from memory.wiring import get_history_limit_bytes

SAFE_FOR = timedelta(days=1)
_BATCH = 50


@dataclass(frozen=True, slots=True)
class Trimmed:
    """What a cleaning did."""

    dropped: int = 0
    freed_bytes: int = 0
    removed: int = 0
    """Contents that no revision names any more."""


def trim_journal(now: datetime) -> Trimmed:
    """Drop the oldest contents until the history is below WILMER_HISTORY_MB, or only protected ones are left."""
    removed = _remove_unnamed()
    total = RevisionContent.objects.aggregate(total=Sum("stored_bytes", default=0))["total"]
    excess = total - get_history_limit_bytes()
    if excess <= 0:
        return Trimmed(removed=removed)
    newest_id = Revision.objects.order_by("-id").values_list("id", flat=True).first() or 0
    dropped = freed = 0
    oldest = _list_oldest(now)
    for start in range(0, len(oldest), _BATCH):
        digests = oldest[start : start + _BATCH]
        count, size = _drop(digests[: _needed(digests, excess - freed)], newest_id)
        dropped, freed = dropped + count, freed + size
        if freed >= excess:
            break
    return Trimmed(dropped, freed, removed)


def _list_oldest(now: datetime) -> list[tuple[str, int]]:
    """Digest and stored size of every content that may go, the one whose last mention is oldest first."""
    last: dict[str, int] = {}
    for revision_id, before, after in (
        Revision.objects.order_by("id").values_list("id", "before_id", "after_id").iterator()
    ):
        last |= {digest: revision_id for digest in (before, after) if digest}
    protected = _list_protected(now)
    sizes = dict(RevisionContent.objects.filter(stored_bytes__gt=0).values_list("digest", "stored_bytes"))
    order = sorted((revision_id, digest) for digest, revision_id in last.items())
    return [(digest, sizes[digest]) for _, digest in order if digest in sizes and digest not in protected]


def _list_protected(now: datetime) -> set[str]:
    later = Revision.objects.filter(
        folder=OuterRef("folder"),
        discussion=OuterRef("discussion"),
        artefact=OuterRef("artefact"),
        id__gt=OuterRef("id"),
    )
    newest = Revision.objects.filter(~Exists(later))
    young = Revision.objects.filter(batch__in=Revision.objects.filter(created_at__gte=now - SAFE_FOR).values("batch"))
    begun = Revision.objects.filter(state=Revision.State.PENDING)
    return {
        *_digests(newest, "after_id"),
        *_digests(young, "before_id", "after_id"),
        *_digests(begun, "before_id", "after_id"),
    }


def _digests(revisions: QuerySet[Revision], *fields: str) -> Iterator[str]:
    for values in revisions.values_list(*fields).iterator():
        yield from (value for value in values if value)


@transaction.atomic
def _drop(digests: Sequence[tuple[str, int]], newest_id: int) -> tuple[int, int]:
    """Empty some contents; one that a write has named since the plan was made stays."""
    names = [digest for digest, _ in digests]
    since = Revision.objects.filter(Q(before_id=OuterRef("pk")) | Q(after_id=OuterRef("pk")), id__gt=newest_id)
    going = RevisionContent.objects.filter(~Exists(since), pk__in=names, stored_bytes__gt=0)
    freed = going.aggregate(total=Sum("stored_bytes", default=0))["total"]
    return going.update(data=b"", stored_bytes=0), freed


@transaction.atomic
def _remove_unnamed() -> int:
    """Contents whose revisions are gone: of purged discussions, and of writes that were refused."""
    named = Revision.objects.filter(Q(before_id=OuterRef("pk")) | Q(after_id=OuterRef("pk")))
    return RevisionContent.objects.filter(~Exists(named)).delete()[0]


def _needed(digests: Sequence[tuple[str, int]], excess: int) -> int:
    """How many of these have to go."""
    count = 0
    while count < len(digests) and excess > 0:
        excess -= digests[count][1]
        count += 1
    return count
