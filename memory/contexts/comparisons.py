"""Two versions side by side, ready for showing."""

from __future__ import annotations

from dataclasses import dataclass

from memory.contexts.labels import FILE_STATES, Label
from memory.engine.differences import MAX_SHOWN, Change, EntryChange, FieldChange, TextDiff
from memory.engine.history import Comparison, LogDiff, VersionFacts
from memory.engine.wording import format_count

KINDS = {
    Change.ADDED: Label("added", "ok"),
    Change.REMOVED: Label("removed", "error"),
    Change.CHANGED: Label("changed", "stale"),
    Change.MOVED: Label("moved", "", "The same words stand in another place."),
    Change.SAME: Label("unchanged"),
}


@dataclass(frozen=True, slots=True)
class Side:
    """What one side of a comparison is."""

    label: str
    state: Label
    size_bytes: int | None
    etag: str
    problem: str

    @classmethod
    def build(cls, facts: VersionFacts) -> Side:
        """Words for one version."""
        state = Label("dropped", "locked", facts.problem) if facts.is_dropped else FILE_STATES[facts.state]
        return cls(facts.label, state, facts.size_bytes, facts.etag, facts.problem)


@dataclass(frozen=True, slots=True)
class Block:
    """One chunk or memory that differs."""

    title: str
    kind: Label
    note: str
    text: TextDiff | None
    added_text: str
    removed_text: str
    fields: tuple[FieldChange, ...] = ()

    @classmethod
    def of_entry(cls, change: EntryChange) -> Block:
        """One entry of a ledger."""
        number = change.new_number or change.old_number
        note = "It ends at another message." if change.is_other_message else ""
        if change.kind is Change.MOVED:
            note = f"It was entry {change.old_number}."
        is_both = change.old is not None and change.new is not None
        return cls(
            title=f"Entry {number}",
            kind=KINDS[change.kind],
            note=note,
            text=change.text if is_both and change.kind is Change.CHANGED else None,
            added_text=change.new.text if change.new and not is_both else "",
            removed_text=change.old.text if change.old and not is_both else "",
        )


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """A comparison as the page shows it."""

    old: Side
    new: Side
    text: TextDiff | None
    blocks: tuple[Block, ...]
    log: tuple[LogDiff, ...]
    headline: str
    is_inline: bool
    notes: tuple[str, ...]

    @classmethod
    def build(cls, comparison: Comparison, *, is_inline: bool = False) -> ComparisonView:
        """Words and blocks for two versions."""
        return cls(
            old=Side.build(comparison.old),
            new=Side.build(comparison.new),
            text=comparison.text,
            blocks=(*_entry_blocks(comparison), *_memory_blocks(comparison)),
            log=comparison.log,
            headline=_headline(comparison),
            is_inline=is_inline,
            notes=tuple(_notes(comparison)),
        )

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show below the headline."""
        return not (self.blocks or self.log or (self.text and self.text.lines))


def _entry_blocks(comparison: Comparison) -> list[Block]:
    return [Block.of_entry(change) for change in comparison.entries.changes[:MAX_SHOWN]] if comparison.entries else []


def _memory_blocks(comparison: Comparison) -> list[Block]:
    return [
        Block(
            title=f"Memory {item.id}{f' · {item.title}' if item.title else ''}",
            kind=KINDS[item.kind],
            note="",
            text=None,
            added_text="",
            removed_text="",
            fields=(*item.fields, *(_embedding(field) for field in item.embeddings)),
        )
        for item in (comparison.memories or ())[:MAX_SHOWN]
    ]


def _embedding(field: FieldChange) -> FieldChange:
    return FieldChange(f"vector of {field.name}", field.old, field.new)


def _headline(comparison: Comparison) -> str:
    """How much differs, in words."""
    if not (comparison.old.is_readable and comparison.new.is_readable):
        return ""
    if comparison.entries is not None:
        return _count_entries(comparison)
    if comparison.memories is not None:
        return _count_memories(comparison)
    text = comparison.text
    if text is None or text.is_too_long:
        return ""
    if not (text.added or text.removed):
        return "The text is the same." if not comparison.is_same else "Nothing differs."
    return f"{format_count(text.added, 'line')} added or changed, {text.removed:,} removed or changed."


def _count_entries(comparison: Comparison) -> str:
    entries = comparison.entries
    if entries is None or not entries.changes:
        return "The entries are the same." if not comparison.is_same else "Nothing differs."
    counts = [f"{entries.count(kind):,} {kind.value}" for kind in _ORDER if entries.count(kind)]
    return f"{', '.join(counts)}; {format_count(entries.same, 'entry', 'entries')} unchanged."


def _count_memories(comparison: Comparison) -> str:
    found = comparison.memories or ()
    counts = [(sum(item.kind is kind for item in found), kind) for kind in _ORDER]
    parts = [f"{format_count(count, 'memory', 'memories')} {kind.value}" for count, kind in counts if count]
    if comparison.log:
        parts.append(f"{format_count(len(comparison.log), 'row')} of the hash log")
    return f"{', '.join(parts)}." if parts else "Nothing differs."


_ORDER = (Change.ADDED, Change.CHANGED, Change.MOVED, Change.REMOVED)


def _notes(comparison: Comparison) -> list[str]:
    hidden = max(0, len(comparison.entries.changes if comparison.entries else comparison.memories or ()) - MAX_SHOWN)
    notes = [f"{format_count(hidden, 'further change')} are not shown here."] if hidden else []
    notes += [f"{side.label.capitalize()}: {side.problem}" for side in (comparison.old, comparison.new) if side.problem]
    if comparison.text and comparison.text.is_too_long:
        notes.append("The texts are too long to compare here.")
    if (comparison.old.etag == "") != (comparison.new.etag == "") and comparison.memories is None:
        notes.append(f"There is no file {'before' if not comparison.old.etag else 'afterwards'}.")
    return notes
