"""Chunks changed by hand: edited, deleted, merged, split, moved; every link stays in step (traps F1, F2, F6, F7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from memory.engine import ledger_changes as changes
from memory.engine.ledger_changes import Layers, LedgerChange, find_version, get_entry
from memory.engine.split_places import choose_place
from memory.engine.versions import chunk_version
from memory.engine.wording import format_count
from memory.queries.split_places import list_split_places
from memory.services.editing import (
    Clash,
    Editor,
    Outcome,
    PlannedChange,
    change_layers,
    check_text,
    keep_line_ends,
)
from memory.types import Entry
from wilmer_site.lib.errors import InvalidError

VERSION_JOINT = "."


class Remainder(StrEnum):
    """What is left of the ledger when its last chunk goes (traps F6)."""

    EMPTY = "empty"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Removal:
    """Which chunks go, and what becomes of the rest."""

    versions: Mapping[int, str | None]
    """Numbers, with the version that was seen of each; None takes whatever is there."""
    keeps_links: bool = True
    """Move the summary's link and the condensation tracker to the entry before, when they name a chunk that goes."""
    remainder: Remainder | None = None
    """Must be said when no chunk is left."""


@dataclass(frozen=True, slots=True)
class Split:
    """Where a chunk is cut, and which message its first part ends with."""

    position: int
    first_hash: str | None = None
    """None takes the message of the transcript that lies nearest, where one is known."""


def edit_chunk(editor: Editor, number: int, text: str, *, version: str | None = None) -> Outcome:
    """Give a chunk another text; its hash stays, so nothing is processed again (F1)."""
    check_text(text, f"Chunk {number}")

    def plan(layers: Layers) -> PlannedChange | Clash:
        at = _locate(layers, number, version)
        if at is None and _says(layers, number, text):
            at = number  # Sent twice, or somebody else had the same thought: there is nothing to ask.
        if at is None:
            return _clash(layers, number, text)
        changed = changes.edit_text(layers.ledger, at, keep_line_ends(get_entry(layers.ledger, at).text, text))
        return _planned(f"Edited chunk {at}", layers, changed, "chunk-edited", at)

    return change_layers(editor, plan, needs_all=False)


def delete_chunks(editor: Editor, removal: Removal) -> Outcome:
    """Delete chunks. Raises InvalidError when none would be left and it is not said what the ledger shall be."""
    if not removal.versions:
        raise InvalidError("Choose at least one chunk to delete.", field="numbers")

    def plan(layers: Layers) -> PlannedChange | Clash:
        found = {number: _locate(layers, number, seen) for number, seen in removal.versions.items()}
        gone = next((number for number, at in found.items() if at is None), None)
        if gone is not None:
            return _clash(layers, gone, "")
        numbers = sorted({at for at in found.values() if at is not None})
        return _plan_removal(layers, numbers, removal)

    return change_layers(editor, plan)


def merge_chunks(editor: Editor, first: int, text: str | None = None, *, version: str | None = None) -> Outcome:
    """Make one of a chunk and the next newer one. `version` is `merge_version_of` what was seen."""
    if text is not None:
        check_text(text, "The merged chunk")

    def plan(layers: Layers) -> PlannedChange | Clash:
        get_entry(layers.ledger, first + 1)
        if version not in (None, _merge_version(layers, first)):
            return _merge_clash(layers, first, text or "")
        changed = changes.merge_chunks(layers.ledger, first, keep_line_ends("", text) if text is not None else None)
        return _planned(f"Merged chunks {first} and {first + 1}", layers, changed, "chunks-merged", first)

    return change_layers(editor, plan)


def split_chunk(editor: Editor, number: int, split: Split, *, version: str | None = None) -> Outcome:
    """Make two chunks of one. The first part needs the hash of a message inside the span.

    Raises InvalidError (`split-needs-hash`) when none is given and none can be found.
    """

    def plan(layers: Layers) -> PlannedChange | Clash:
        at = _locate(layers, number, version)
        if at is None:
            return _clash(layers, number, "")
        first_hash = split.first_hash or _find_hash(editor, layers, at, split.position)
        changed = changes.split_chunk(layers.ledger, at, split.position, first_hash)
        return _planned(f"Split chunk {at}", layers, changed, "chunk-split", at)

    return change_layers(editor, plan)


def move_chunk(editor: Editor, number: int, by: int, *, version: str | None = None) -> Outcome:
    """Move a chunk by some places, together with its hash."""

    def plan(layers: Layers) -> PlannedChange | Clash:
        at = _locate(layers, number, version)
        if at is None:
            return _clash(layers, number, "")
        changed = changes.move_chunk(layers.ledger, at, by)
        return _planned(f"Moved chunk {at} to place {at + by}", layers, changed, "chunk-moved", at + by)

    return change_layers(editor, plan)


def merge_version_of(older: Entry, newer: Entry) -> str:
    """The version of two neighbours."""
    return VERSION_JOINT.join((chunk_version(older), chunk_version(newer)))


class SplitNeedsHashError(InvalidError):
    """Nothing tells which message the first part of a split chunk ends with. `extra` has the choices there are."""

    code = "split-needs-hash"


def _find_hash(editor: Editor, layers: Layers, number: int, position: int) -> str:
    places = list_split_places(editor.ref, number, editor.keys)
    found = choose_place(places, layers.ledger[number - 1].text, position)
    if found is None:
        raise SplitNeedsHashError(
            f"Nothing tells which message the first part of chunk {number} ends with. Attach the chat, give the hash "
            "of a message inside the chunk, or give both parts the same hash (then they count as one in every link).",
            shared=layers.ledger[number - 1].hash,
        )
    return found


def _plan_removal(layers: Layers, numbers: Sequence[int], removal: Removal) -> PlannedChange:
    changed = changes.delete_chunks(layers.ledger, numbers)
    is_all = not changed.entries
    if is_all and removal.remainder is None:
        raise InvalidError(
            "No chunk is left then. Say whether the ledger shall stay as an empty file or go: WilmerAI packs larger "
            "chunks while there is no file.",
            field="remainder",
        )
    what = (
        f"chunk {numbers[0]}" if len(numbers) == 1 else "all chunks" if is_all else format_count(len(numbers), "chunk")
    )
    keep = changes.keep_in_step if removal.keeps_links else changes.leave_links
    after = replace(keep(layers, changed), has_ledger_file=not (is_all and removal.remainder is Remainder.ABSENT))
    return PlannedChange(
        f"Deleted {what}", after, "chunks-deleted", removed=tuple(numbers), details={"count": len(numbers)}
    )


def _planned(action: str, layers: Layers, changed: LedgerChange, audit: str, number: int) -> PlannedChange:
    version = chunk_version(changed.entries[number - 1])
    after = changes.keep_in_step(layers, changed)
    return PlannedChange(action, after, audit, number, version, details={"number": number})


def _locate(layers: Layers, number: int, version: str | None) -> int | None:
    """Where the chunk that was seen stands now; None when it changed. Without a version it must be there."""
    if version is None:
        get_entry(layers.ledger, number)
    return find_version(layers.ledger, number, version)


def _says(layers: Layers, number: int, text: str) -> bool:
    stored = layers.ledger[number - 1].text if 1 <= number <= len(layers.ledger) else None
    return stored is not None and stored == keep_line_ends(stored, text)


def _clash(layers: Layers, number: int, yours: str) -> Clash:
    """What stands at that number now; nothing, when the ledger became shorter."""
    entry = layers.ledger[number - 1] if number <= len(layers.ledger) else None
    version = chunk_version(entry) if entry else ""
    return Clash(f"chunk {number}", entry.text if entry else None, yours, version, number)


def _merge_clash(layers: Layers, first: int, yours: str) -> Clash:
    both = layers.ledger[first - 1 : first + 1]
    theirs = changes.MERGE_SEPARATOR.join(entry.text for entry in both)
    return Clash(f"chunks {first} and {first + 1}", theirs, yours, _merge_version(layers, first), first)


def _merge_version(layers: Layers, first: int) -> str:
    return merge_version_of(*layers.ledger[first - 1 : first + 1])
