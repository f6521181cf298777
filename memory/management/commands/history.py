"""`manage.py history`: who wrote what, the text of a version, and the way back to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory.engine.differences import Change, EntryChange, TextDiff
from memory.engine.history import Comparison, HistoryFilter, MemoryDiff, RevisionCard
from memory.engine.word_diff import Piece
from memory.management.commands._answers import (
    ACTOR,
    add_discussion,
    keys_of,
    ref_of,
    show_plainly,
    tell_consequences,
    tell_undo,
)
from memory.queries import history
from memory.queries.noticing import notice_writes
from memory.services.restoring import Version, restore_revision
from memory.types import Artefact
from wilmer_site.lib.errors import WilmerError
from wilmer_site.lib.paging import PageRequest

MOST_LINES = 200


class Command(BaseCommand):
    """The same as the page History."""

    help = "Show who wrote what to a discussion, what a write changed, and put a version back."

    def add_arguments(self, parser: CommandParser) -> None:
        parts = parser.add_subparsers(dest="part", required=True, metavar="what")
        listed = parts.add_parser("list", help="list the writes, the newest first")
        add_discussion(listed)
        listed.add_argument("--file", choices=[artefact.value for artefact in Artefact])
        listed.add_argument("--limit", type=int, default=20, choices=range(1, MOST_LINES + 1), metavar="COUNT")
        shown = parts.add_parser("show", help="show what a write changed")
        add_discussion(shown)
        shown.add_argument("number", type=int, metavar="N", help="the number of the write")
        shown.add_argument("--against", default="before", help="before, now, or the number of another write")
        back = parts.add_parser("restore", help="put a version back")
        add_discussion(back)
        back.add_argument("number", type=int, metavar="N", help="the number of the write")
        back.add_argument("--side", choices=["before", "after"], default="after", help="which of its two versions")
        back.add_argument("--dry-run", action="store_true", help="only tell what would change")

    def handle(self, *args: object, **options: Any) -> None:
        parts: dict[str, Callable[[dict[str, Any]], Iterator[str]]]
        parts = {"list": _list, "show": _show, "restore": _restore}
        try:
            self.stdout.write(show_plainly("\n".join(parts[options["part"]](options))))
        except WilmerError as error:
            raise CommandError(error.message) from None


def _list(options: dict[str, Any]) -> Iterator[str]:
    ref = ref_of(options)
    notice_writes(ref, keys_of(options))
    wanted = HistoryFilter(Artefact(options["file"]) if options["file"] else None)
    page = history.list_history(ref, wanted, PageRequest(size=options["limit"]))
    yield from (_format_card(card) for card in page.items)
    if page.total > len(page.items):
        yield f"… and {page.total - len(page.items):,} more"
    if not page.total:
        yield "Nothing was written yet."


def _show(options: dict[str, Any]) -> Iterator[str]:
    ref = ref_of(options)
    yield _format_card(history.get_card(ref, options["number"]))
    yield from _format_comparison(history.get_comparison(ref, options["number"], keys_of(options), options["against"]))


def _restore(options: dict[str, Any]) -> Iterator[str]:
    ref, keys, side = ref_of(options), keys_of(options), options["side"]
    preview = history.preview_restore(ref, options["number"], keys, side=side)
    yield from _format_comparison(preview.comparison)
    yield from tell_consequences(preview.radius.consequences)
    if options["dry_run"]:
        return
    done = restore_revision(
        ref, Version(options["number"], side), actor=ACTOR, keys=keys, expected_etag=preview.comparison.old.etag
    )
    yield f"{done.action}."
    yield tell_undo(options["id"], done.batch)


def _format_card(card: RevisionCard) -> str:
    moment = f"{card.at:%Y-%m-%d %H:%M:%S}"
    return f"{card.id:>7}  {moment}  {card.artefact.value:<20}  {card.action} ({card.actor})  {card.batch}"


def _format_comparison(comparison: Comparison) -> Iterator[str]:
    if comparison.is_same:
        yield "Nothing differs."
    yield from (side.problem for side in (comparison.old, comparison.new) if side.problem)
    if comparison.text:
        yield from _format_text(comparison.text)
    for entry in comparison.entries.changes if comparison.entries else ():
        yield from _format_entry(entry)
    for memory in comparison.memories or ():
        yield from _format_memory(memory)


def _format_text(diff: TextDiff) -> Iterator[str]:
    if diff.is_too_long:
        yield "Too long to be compared."
    for line in diff.lines:
        if line.kind is Change.SAME:
            yield f"  {_join(line.new)}"
            continue
        yield from (f"{sign} {_join(side)}" for sign, side in (("-", line.old), ("+", line.new)) if side)


def _format_entry(change: EntryChange) -> Iterator[str]:
    yield f"entry {change.new_number or change.old_number}: {change.kind.value}"
    if change.kind is not Change.MOVED:
        yield from (f"- {line}" for line in (change.old.text.splitlines() if change.old else ()))
        yield from (f"+ {line}" for line in (change.new.text.splitlines() if change.new else ()))


def _format_memory(memory: MemoryDiff) -> Iterator[str]:
    yield f"vector memory {memory.id}: {memory.kind.value}"
    for item in memory.fields:
        sides = (("-", item.old), ("+", item.new))
        yield from (f"{sign} {item.name}: {value}" for sign, value in sides if value is not None)


def _join(pieces: Sequence[Piece]) -> str:
    return "".join(piece.text for piece in pieces)
