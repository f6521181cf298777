"""Every version of every file of a discussion: by whom, when, what, and where each line came from."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum

from memory.engine.blame import blame
from memory.engine.blast_radius import BlastRadius
from memory.engine.history import (
    BatchReport,
    BatchStep,
    Blame,
    BlameLine,
    Comparison,
    HistoryFilter,
    HistorySize,
    RestorePreview,
    RevisionCard,
)
from memory.journal.contents import ContentDroppedError, read_bytes
from memory.journal.rows import parse_rows
from memory.models import Revision, RevisionContent
from memory.queries.comparing import DROPPED, compare_files, compare_rows
from memory.queries.consequences import measure_contents
from memory.queries.undo_plans import (
    FileStep,
    RevisionNotFoundError,
    RowStep,
    UndoPlan,
    find_undoing,
    is_of_rows,
    list_revisions,
    plan_rows,
    plan_undo,
)
from memory.results import ApiKeys
from memory.stores.contents import read_whole
from memory.stores.discussion_files import DiscussionFiles
from memory.stores.journaling import RowState
from memory.stores.past_contents import LISTS, PastContent
from memory.types import Artefact, DiscussionRef, FileState
from memory.wiring import get_history_limit_bytes, open_or_create_discussion
from wilmer_site.lib.errors import InvalidError
from wilmer_site.lib.paging import Page, PageRequest

MAX_BLAMED_BYTES = 32 * 1024 * 1024
MAX_BLAMED_VERSIONS = 300
"""Older versions are not opened for blame; what came from them counts as there before."""


def list_history(ref: DiscussionRef, filter: HistoryFilter, page: PageRequest) -> Page[RevisionCard]:
    """One page of revisions, the newest first."""
    rows = list_revisions(ref).filter(state=Revision.State.DONE)
    if filter.artefact:
        rows = rows.filter(artefact=filter.artefact)
    if filter.actor:
        rows = rows.filter(actor=filter.actor)
    shown = list(_with_contents(rows).order_by("-id")[page.offset : page.offset + page.size])
    return Page(build_cards(ref, shown), rows.count(), page.number, page.size)


def count_writers(ref: DiscussionRef) -> dict[str, int]:
    """Who wrote, and how often."""
    rows = list_revisions(ref).filter(state=Revision.State.DONE).values_list("actor")
    return dict(rows.annotate(count=Count("id")).order_by("-count", "actor"))


def count_files(ref: DiscussionRef) -> dict[Artefact, int]:
    """Which files were written, and how often."""
    rows = list_revisions(ref).filter(state=Revision.State.DONE).values_list("artefact")
    counts = dict(rows.annotate(count=Count("id")))
    return {artefact: counts[artefact.value] for artefact in Artefact if artefact.value in counts}


def get_card(ref: DiscussionRef, revision_id: int) -> RevisionCard:
    """One revision without its contents; raises RevisionNotFoundError."""
    return build_cards(ref, [_get(ref, revision_id)])[0]


def get_comparison(ref: DiscussionRef, revision_id: int, keys: ApiKeys, against: str = "before") -> Comparison:
    """What a revision left, against what it replaced (`before`), what is there `now`, or the number of another one.

    Raises RevisionNotFoundError, or InvalidError for anything else.
    """
    revision, files = _get(ref, revision_id), open_or_create_discussion(ref, keys)
    if is_of_rows(revision):
        return _compare_rows(files, revision, against)
    artefact = Artefact(revision.artefact)
    own = ("after", _kept(revision.after))
    if against == "before":
        return compare_files(files, artefact, ("before", _kept(revision.before)), own)
    if against == "now":
        return compare_files(files, artefact, own, ("now", read_whole(files.place(artefact))))
    other = _get_other(ref, revision, against)
    sides = [own, (f"revision {other.pk}", _kept(other.after))]
    older, newer = sides if revision.pk < other.pk else reversed(sides)
    return compare_files(files, artefact, older, newer)


def get_batch(ref: DiscussionRef, batch: uuid.UUID, keys: ApiKeys) -> BatchReport:
    """What a whole action wrote, and what taking it back would do now. Raises RevisionNotFoundError."""
    rows = list(_with_contents(list_revisions(ref).filter(batch=batch)).order_by("id"))
    if not rows:
        raise RevisionNotFoundError("The history has no such change.", batch=str(batch))
    report = BatchReport(
        ref=ref,
        batch=batch,
        action=rows[0].action,
        actor=rows[0].actor,
        at=rows[0].created_at,
        origin=rows[0].origin,
        revisions=tuple(build_cards(ref, rows)),
        steps=(),
        is_conflict=False,
    )
    try:
        return _with_plan(report, plan_undo(ref, batch, keys), open_or_create_discussion(ref, keys))
    except (ContentDroppedError, RevisionNotFoundError) as error:
        return replace(report, problem=error.message)


def preview_restore(ref: DiscussionRef, revision_id: int, keys: ApiKeys, *, side: str) -> RestorePreview:
    """What putting the content before or after a revision in place would change and cause.

    Raises RevisionNotFoundError, ContentDroppedError, or InvalidError for another side.
    """
    if side not in {"before", "after"}:
        raise InvalidError("side is before or after.", field="side")
    revision, files = _get(ref, revision_id), open_or_create_discussion(ref, keys)
    card = build_cards(ref, [revision])[0]
    content = revision.before if side == "before" else revision.after
    if is_of_rows(revision):
        before, after = _rows_of(revision.before), _rows_of(revision.after)
        step = plan_rows(files, [(before, after)] if side == "before" else [(after, before)])
        comparison = compare_rows(("now", step.found), ("restored", step.wanted))
        return RestorePreview(card, side, comparison, BlastRadius())
    artefact, data = Artefact(revision.artefact), read_bytes(content)
    now = ("now", read_whole(files.place(artefact)))
    comparison = compare_files(files, artefact, now, ("restored", data))
    return RestorePreview(card, side, comparison, measure_contents(files, {artefact: data}))


def get_blame(ref: DiscussionRef, artefact: Artefact, keys: ApiKeys) -> Blame:
    """Which write each entry of a list file, or each line of another file, came from.

    Raises InvalidError for the vector database.
    """
    if artefact is Artefact.VECTOR_MEMORY:
        raise InvalidError("The vector database has no lines; its memories have a history each.", field="artefact")
    files = open_or_create_discussion(ref, keys)
    current = files.read_past(artefact, read_whole(files.place(artefact)))
    is_entries = artefact in LISTS and current.state is not FileState.DAMAGED
    if current.state is FileState.LOCKED:
        return Blame(artefact, current.state, (), 0, current.problem, is_entries)
    rows = _with_contents(list_revisions(ref).filter(artefact=artefact, state=Revision.State.DONE)).order_by("-id")
    kept = list(reversed(_list_affordable(rows[:MAX_BLAMED_VERSIONS])))
    versions = list(_versions(files, artefact, kept))
    owners = blame([*versions, (None, _items(current))] if versions else [(None, _items(current))])
    cards = {card.id: card for card in build_cards(ref, kept)}
    lines = [
        BlameLine(number, _text_of(item), cards.get(owner) if owner else None)
        for number, (item, owner) in enumerate(zip(_items(current), owners, strict=True), 1)
    ]
    return Blame(artefact, current.state, tuple(lines), len(kept), current.problem, is_entries)


def get_size() -> HistorySize:
    """How much room the history takes, and what was dropped to keep it below its limit."""
    dropped = Q(stored_bytes=0)
    sums = RevisionContent.objects.aggregate(
        stored=Sum("stored_bytes", default=0),
        dropped=Count("digest", filter=dropped),
        dropped_bytes=Sum("size_bytes", filter=dropped, default=0),
    )
    return HistorySize(sums["stored"], get_history_limit_bytes(), sums["dropped"], sums["dropped_bytes"])


def build_cards(ref: DiscussionRef, revisions: Sequence[Revision]) -> list[RevisionCard]:
    """Revisions as values; their contents must have been joined."""
    batches = {item.batch for item in revisions}
    known = list_revisions(ref).filter(state=Revision.State.DONE)
    sizes = dict(known.filter(batch__in=batches).values_list("batch").annotate(count=Count("id")))
    undone = dict(known.filter(undoes__in=batches).order_by("id").values_list("undoes", "batch"))
    again = set(known.filter(undoes__in=undone.values()).values_list("undoes", flat=True))
    undoing = {batch: find_undoing(ref, batch) if undo in again else undo for batch, undo in undone.items() if batch}
    return [_card(item, sizes.get(item.batch, 1), undoing.get(item.batch)) for item in revisions]


def _card(revision: Revision, batch_size: int, undone_by: uuid.UUID | None) -> RevisionCard:
    contents = [content for content in (revision.before, revision.after) if content]
    return RevisionCard(
        id=revision.pk,
        artefact=Artefact(revision.artefact),
        at=revision.created_at,
        actor=revision.actor,
        origin=revision.origin,
        action=revision.action,
        batch=revision.batch,
        batch_size=batch_size,
        before_bytes=revision.before.size_bytes if revision.before else None,
        after_bytes=revision.after.size_bytes if revision.after else None,
        is_kept=all(content.stored_bytes for content in contents),
        undone_by=undone_by,
    )


def _get(ref: DiscussionRef, revision_id: int) -> Revision:
    found = _with_data(list_revisions(ref).filter(pk=revision_id)).first()
    if found is None:
        raise RevisionNotFoundError(
            f"The history of {ref.discussion_id!r} has no revision {revision_id}.", revision=revision_id
        )
    return found


def _get_other(ref: DiscussionRef, revision: Revision, against: str) -> Revision:
    if not (against.isascii() and against.isdigit() and len(against) <= 18):
        raise InvalidError("against is before, now, or the number of a revision.", field="against")
    other = _get(ref, int(against))
    if other.artefact != revision.artefact:
        raise InvalidError("Only two versions of the same file can be compared.", field="against")
    return other


def _with_contents(rows: QuerySet[Revision]) -> QuerySet[Revision]:
    """Joined with what is known of the contents, without the contents themselves."""
    return rows.select_related("before", "after").defer("before__data", "after__data")


def _with_data(rows: QuerySet[Revision]) -> QuerySet[Revision]:
    return rows.select_related("before", "after")


def _kept(content: RevisionContent | None) -> Any:
    try:
        return read_bytes(content)
    except ContentDroppedError:
        return DROPPED


def _rows_of(content: RevisionContent | None) -> RowState:
    data = _kept(content)
    return parse_rows(data) if isinstance(data, bytes) else RowState()


def _compare_rows(files: DiscussionFiles, revision: Revision, against: str) -> Comparison:
    before, after = _rows_of(revision.before), _rows_of(revision.after)
    if against == "before":
        return compare_rows(("before", before), ("after", after))
    if against == "now":
        step = plan_rows(files, [(before, after)])
        return compare_rows(("after", after), ("now", step.found))
    other = _get_other(files.ref, revision, against)
    return compare_rows(("after", after), (f"revision {other.pk}", _rows_of(other.after)))


def _with_plan(report: BatchReport, plan: UndoPlan, files: DiscussionFiles) -> BatchReport:
    steps = [_file_step(files, step) for step in plan.files]
    if plan.rows:
        steps.append(_row_step(plan.rows))
    radius = measure_contents(files, {step.artefact: step.wanted for step in plan.files})
    return replace(report, steps=tuple(steps), is_conflict=plan.is_conflict, undone_by=plan.undone_by, radius=radius)


def _file_step(files: DiscussionFiles, step: FileStep) -> BatchStep:
    now = ("now", step.found)
    back = compare_files(files, step.artefact, now, ("taken back", step.wanted))
    since = compare_files(files, step.artefact, ("after", step.expected), now) if step.is_conflict else None
    return BatchStep(step.artefact, step.is_conflict, step.is_interleaved, back, since)


def _row_step(step: RowStep) -> BatchStep:
    back = compare_rows(("now", step.found), ("taken back", step.wanted))
    since = compare_rows(("after", step.expected), ("now", step.found)) if step.is_conflict else None
    return BatchStep(Artefact.VECTOR_MEMORY, step.is_conflict, step.is_interleaved, back, since)


def _list_affordable(revisions: Iterable[Revision]) -> list[Revision]:
    """The newest ones whose contents together are not too much to read for a page; at least one."""
    kept: list[Revision] = []
    total = 0
    for revision in revisions:
        total += revision.after.size_bytes if revision.after else 0
        if kept and total > MAX_BLAMED_BYTES:
            break
        kept.append(revision)
    return kept


def _versions(
    files: DiscussionFiles, artefact: Artefact, revisions: Iterable[Revision]
) -> Iterable[tuple[int | None, Sequence[Any]]]:
    """The contents of a file from the oldest to the newest; the first one counts as there before."""
    is_first = True
    for revision in revisions:
        if is_first:
            is_first = False
            yield None, _items(_past(files, artefact, revision.before))
        yield revision.pk, _items(_past(files, artefact, revision.after))


def _past(files: DiscussionFiles, artefact: Artefact, content: RevisionContent | None) -> PastContent:
    data = _kept(content)
    return PastContent(FileState.ABSENT) if data is DROPPED else files.read_past(artefact, data)


def _items(content: PastContent) -> Sequence[Any]:
    return content.entries or content.text.splitlines()


def _text_of(item: Any) -> str:
    return item if isinstance(item, str) else str(item.text)
