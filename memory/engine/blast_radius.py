"""What a change to memory will cause, in numbers: worked out by the rules that WilmerAI itself goes by.

With a transcript the numbers of messages are exact; without one the same is said in chunks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from memory.engine.chunk_facts import condensed_count, covered_count, find_last, link_of
from memory.engine.chunking import pack_messages
from memory.engine.covered_messages import Finding, spans_of
from memory.engine.hashing import list_identities
from memory.engine.ledger_changes import Layers
from memory.engine.memory_settings import MemorySettings, Thresholds
from memory.engine.messages import drop_system
from memory.engine.summary_plan import list_unsummarised
from memory.engine.triggers import Decision, Progress, WriterPath, decide
from memory.engine.wording import format_count
from memory.results import SummaryLink
from memory.types import Entry, Message


class Weight(StrEnum):
    """How much a person should mind."""

    NOTHING = "nothing"
    NOTE = "note"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Consequence:
    """One thing that follows from a change."""

    code: str
    """Stable, kebab case."""
    text: str
    """For people, one or two sentences."""
    weight: Weight = Weight.NOTE
    numbers: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BlastRadius:
    """Everything that follows from a change."""

    consequences: tuple[Consequence, ...] = ()
    is_exact: bool = False
    """Whether messages were counted in a transcript."""

    @property
    def is_quiet(self) -> bool:
        """Whether nothing follows that needs a thought."""
        return all(item.weight is Weight.NOTHING for item in self.consequences)

    def number(self, name: str) -> int | None:
        """A number that any consequence carries, such as `messages_after`."""
        return next((item.numbers[name] for item in self.consequences if name in item.numbers), None)


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is known beside the layers."""

    settings: MemorySettings = field(default_factory=MemorySettings)
    messages: tuple[Message, ...] | None = None
    """The conversation as the memory layer receives it; None without a transcript."""

    @property
    def spoken(self) -> list[Message]:
        """The messages that memory works on."""
        return drop_system(self.messages or ())


@dataclass(frozen=True, slots=True)
class Change:
    """The layers before and after; `removed` are the numbers of chunks whose texts go."""

    before: Layers
    after: Layers
    removed: tuple[int, ...] = ()
    touches_texts: bool = True
    """Whether it is about texts at all, rather than trackers alone."""


def needs_messages(change: Change) -> bool:
    """Whether a transcript would tell more: a boundary may move. Reading a long one takes a while."""
    hashes = [[entry.hash for entry in layers.ledger] for layers in (change.before, change.after)]
    return hashes[0] != hashes[1] or change.before.progress != change.after.progress


def measure(change: Change, outlook: Outlook) -> BlastRadius:
    """Everything that follows from a change, the weightiest part first; never empty."""
    outlook = _keep_if_complete(change.before, outlook)
    parts = (_measure_ledger, _measure_holes, _measure_file_mode, _measure_summary, _measure_tracker, _measure_vectors)
    found = [item for part in parts for item in part(change, outlook)]
    if not any(item.code in {"boundary-stays", "reprocessed", "skipped"} for item in found):
        what = "Text only: nothing" if change.touches_texts else "Nothing"
        found.insert(0, Consequence("text-only", f"{what} is processed again.", Weight.NOTHING))
    order = {Weight.WARNING: 0, Weight.NOTE: 1, Weight.NOTHING: 2}
    return BlastRadius(tuple(sorted(found, key=lambda item: order[item.weight])), outlook.messages is not None)


def _keep_if_complete(before: Layers, outlook: Outlook) -> Outlook:
    """Without the messages when the transcript does not hold what memory processed last: it would mislead."""
    newest = {layer[0] for layer in (before.progress, [entry.hash for entry in reversed(before.ledger)]) if layer}
    for message in reversed(outlook.spoken):
        if not newest:
            break
        newest -= set(list_identities(message))
    return replace(outlook, messages=None) if newest else outlook


def _measure_ledger(change: Change, outlook: Outlook) -> list[Consequence]:
    before, after = change.before.ledger, change.after.ledger
    if [entry.hash for entry in before] == [entry.hash for entry in after]:
        return []
    if outlook.messages is None:
        return _guess_boundary(before, after)
    thresholds = outlook.settings.file_thresholds
    old, new = (_decide_file(layers, outlook, thresholds) for layers in (change.before, change.after))
    return [_compare(old, new, thresholds, "chunks"), *_differ_from_wilmer(change, outlook, new)]


def _decide_file(layers: Layers, outlook: Outlook, thresholds: Thresholds) -> Decision:
    known = [entry.hash for entry in reversed(layers.ledger)]
    progress = Progress(known, file_existed=layers.has_ledger_file)
    return decide(WriterPath.FILE, outlook.messages or (), thresholds=thresholds, progress=progress)


def _compare(before: Decision, after: Decision, thresholds: Thresholds, made: str) -> Consequence:
    """One sentence for one path of the writer; `made` is what that path makes."""
    old, new = (run.new.count if run.new else 0 for run in (before, after))
    numbers = {"messages_before": old, "messages_after": new, "messages_again": max(0, new - old)}
    if new == old:
        verb = "waits" if new == 1 else "wait"
        waiting = f"{format_count(new, 'message')} {verb} as before" if new else "no message is new"
        return Consequence("boundary-stays", f"Nothing is processed again: {waiting}.", Weight.NOTHING, numbers)
    if new < old:
        verb = "waits" if old - new == 1 else "wait"
        text = f"{format_count(old - new, 'message')} that {verb} now will count as done and never be processed."
        return Consequence("skipped", text, Weight.WARNING, {**numbers, "messages_skipped": old - new})
    chunks = len(pack_messages(after.messages, thresholds.chunk_size))
    numbers["chunks_again"] = chunks
    again = f"{format_count(new - old, 'message')} again"
    if after.is_triggered:
        beside = f" ({new:,} in all)" if old else ""
        into = format_count(chunks, "chunk") if made == "chunks" else f"{format_count(chunks, 'run')} for {made}"
        text = f"The next turn will process {again}{beside} in {into}."
    else:
        text = f"{format_count(new - old, 'message')} count as new again and are processed with the next run of {made}."
    return Consequence("reprocessed", text, Weight.WARNING, numbers)


def _guess_boundary(before: Sequence[Entry], after: Sequence[Entry]) -> list[Consequence]:
    """The same in chunks: the newest chunk says how far memory has got."""
    if not before:
        return []
    reach = (find_last(before, after[-1].hash) or 0) if after else 0
    again = len(before) - reach
    if after and after[-1].hash == before[-1].hash:
        text = "Nothing is processed again: the newest chunk still ends with the same message."
        return [Consequence("boundary-stays", text, Weight.NOTHING, {"chunks_of_messages_again": 0})]
    numbers = {"chunks_of_messages_again": again}
    if not after:
        text = "All messages of the conversation count as new and are processed again."
        return [Consequence("reprocessed", text, Weight.WARNING, numbers)]
    which = f"chunk {len(before)}" if again == 1 else f"chunks {reach + 1} to {len(before)}"
    text = f"The messages of {which} count as new again: the next run processes them once more."
    return [Consequence("reprocessed", text, Weight.WARNING, numbers)]


def _differ_from_wilmer(change: Change, outlook: Outlook, run: Decision) -> list[Consequence]:
    """WilmerAI takes the newest message that any chunk names, this console the newest chunk whose message is there.

    Both agree while the chunks stand in the order of their messages (memory.md §10.2, W03).
    """
    lookback = max(0, outlook.settings.file_thresholds.lookback)
    theirs = _count_as_wilmer(change.after.ledger, outlook.spoken, lookback)
    ours = run.new.count if run.new else 0
    if theirs == ours:
        return []
    text = (
        f"WilmerAI itself looks for the newest message that any chunk names and finds {format_count(theirs, 'message')}"
        f" to be new; runs of this console go by the newest chunk and find {ours:,}."
    )
    return [Consequence("readers-differ", text, Weight.WARNING, {"messages_wilmer": theirs, "messages_console": ours})]


def _count_as_wilmer(ledger: Sequence[Entry], spoken: Sequence[Message], lookback: int) -> int:
    """`find` of memory.md §10.2."""
    boundary = max(0, len(spoken) - lookback)
    hashes = {entry.hash for entry in ledger}
    for position in range(min(boundary, len(spoken) - 1), -1, -1):
        if hashes.intersection(list_identities(spoken[position])):
            return max(0, boundary - position - 1)
    return boundary


def _measure_holes(change: Change, outlook: Outlook) -> list[Consequence]:
    """Chunks that go from the middle are never made again (traps F2)."""
    before, after = change.before.ledger, change.after.ledger
    reach = (find_last(before, after[-1].hash) or 0) if after else 0
    holes = [number for number in change.removed if number < reach and before[number - 1].hash]
    if not holes:
        return []
    count = _count_covered(before, holes, outlook)
    which = f"chunk {holes[0]:,}" if len(holes) == 1 else format_count(len(holes), "older chunk")
    lost = format_count(count, "message") if count else "The messages"
    text = f"{lost} of {which} will be in no chunk: newer chunks stay, so no run goes back to them."
    return [Consequence("hole", text, Weight.WARNING, {"chunks_lost": len(holes), "messages_lost": count})]


def _count_covered(ledger: Sequence[Entry], numbers: Sequence[int], outlook: Outlook) -> int:
    """How many messages some chunks cover; 0 when that cannot be told."""
    if outlook.messages is None:
        return 0
    wanted = {entry.hash for entry in ledger}
    ends = [_first_of(list_identities(message), wanted) for message in outlook.spoken]
    spans = spans_of(ledger, ends)
    found = [spans[number - 1] for number in numbers]
    return sum(len(item.span) for item in found if item.span and item.finding is not Finding.NOT_FOUND)


def _first_of(identities: Sequence[str], wanted: set[str]) -> str:
    return next((identity for identity in identities if identity in wanted), "")


def _measure_file_mode(change: Change, outlook: Outlook) -> list[Consequence]:  # noqa: ARG001
    """Absent is not empty (traps F6)."""
    if not change.after.ledger and change.before.ledger and change.after.has_ledger_file:
        text = "The ledger stays as an empty file: small batches of messages start a run, as before."
        return [Consequence("ledger-empty", text)]
    if change.before.has_ledger_file and not change.after.has_ledger_file:
        text = (
            "The ledger file goes: until it is back, only the number of tokens starts a run (consolidation), so the "
            "conversation is packed into chunks of full size."
        )
        return [Consequence("ledger-absent", text)]
    return []


def _measure_summary(change: Change, outlook: Outlook) -> list[Consequence]:  # noqa: ARG001
    before, after = change.before, change.after
    if not before.summary and not after.summary:
        return []
    if before.summary and not after.summary:
        fed = len(after.ledger)
        text = f"The next summary run starts from nothing and is fed {format_count(fed, 'chunk')}."
        return [Consequence("summary-starts-over", text, Weight.WARNING, {"chunks_fed": fed})]
    if before.ledger and not after.ledger:
        text = "The rolling summary stays: chunks that are made anew will be fed into it once more."
        return [*_kept_in_summary(change), Consequence("summary-outlives", text, Weight.WARNING)]
    fed_before = len(list_unsummarised(before.summary, before.ledger))
    fed = len(list_unsummarised(after.summary, after.ledger))
    numbers = {"chunks_fed_before": fed_before, "chunks_fed": fed}
    is_cut = link_of(after.summary, after.ledger) is SummaryLink.LOST
    was_cut = link_of(before.summary, before.ledger) is SummaryLink.LOST
    if is_cut and not was_cut:
        text = f"The rolling summary's link is cut: the next summary run is fed {format_count(fed, 'chunk')} again."
        return [Consequence("summary-link-cut", text, Weight.WARNING, numbers)]
    return [*_kept_in_summary(change), *_compare_fed(change, numbers)]


def _compare_fed(change: Change, numbers: dict[str, int]) -> list[Consequence]:
    before, after = change.before, change.after
    covered = covered_count(after.summary, after.ledger)
    if before.summary[-1:] and after.summary[-1].hash != before.summary[-1].hash and covered:
        where = f"The rolling summary is linked to chunk {covered:,}"
        text = f"{where}: the next summary run is fed {format_count(numbers['chunks_fed'], 'chunk')}."
        return [Consequence("summary-link-moved", text, numbers=numbers)]
    if numbers["chunks_fed"] == numbers["chunks_fed_before"]:
        return []
    was = numbers["chunks_fed_before"]
    text = f"The next summary run is fed {format_count(numbers['chunks_fed'], 'chunk')} (now: {was:,})."
    return [Consequence("summary-fed", text, numbers=numbers)]


def _kept_in_summary(change: Change) -> list[Consequence]:
    covered = covered_count(change.before.summary, change.before.ledger)
    count = sum(number <= covered for number in change.removed)
    if not count:
        return []
    text = f"The rolling summary still holds what it took from {format_count(count, 'chunk')} that go."
    return [Consequence("summary-remembers", text, numbers={"chunks_in_summary": count})]


def _measure_tracker(change: Change, outlook: Outlook) -> list[Consequence]:  # noqa: ARG001
    before = condensed_count(change.before.tracker, change.before.ledger)
    after = condensed_count(change.after.tracker, change.after.ledger)
    if before == after or not (change.before.tracker or change.after.tracker) or not change.after.ledger:
        return []
    open_before, open_after = len(change.before.ledger) - before, len(change.after.ledger) - after
    numbers = {"open_before": open_before, "open_after": open_after}
    if before and not after:
        what = format_count(len(change.after.ledger), "chunk")
        text = f"Condensation has no place to go on from: all {what} count as not condensed yet."
        return [Consequence("condensation-starts-over", text, Weight.WARNING, numbers)]
    if open_after == open_before:
        return []
    text = f"Condensation counts {format_count(open_after, 'chunk')} as not condensed yet (now: {open_before:,})."
    return [Consequence("condensation-moved", text, numbers=numbers)]


def _measure_vectors(change: Change, outlook: Outlook) -> list[Consequence]:
    before, after = change.before.progress, change.after.progress
    if before == after:
        return []
    if outlook.messages is None:
        return [_guess_progress(before, after)]
    thresholds = outlook.settings.vector_thresholds
    old, new = (
        decide(WriterPath.VECTOR, outlook.messages, thresholds=thresholds, progress=Progress(known))
        for known in (before, after)
    )
    return [_compare(old, new, thresholds, "vector memories")]


def _guess_progress(before: Sequence[str], after: Sequence[str]) -> Consequence:
    """Log rows stand for chunks that were processed."""
    if not after:
        text = "Nothing is logged any more: the whole conversation is processed again into vector memories."
        return Consequence("reprocessed", text, Weight.WARNING, {"chunks_of_messages_again": len(before)})
    if after[0] in before:
        again = list(before).index(after[0])
        if not again:
            text = "Nothing is processed again: the newest logged message is the same."
            return Consequence("boundary-stays", text, Weight.NOTHING, {"chunks_of_messages_again": 0})
        text = f"The messages behind {format_count(again, 'logged chunk')} are processed again into vector memories."
        return Consequence("reprocessed", text, Weight.WARNING, {"chunks_of_messages_again": again})
    text = (
        "Vector memory goes on behind the message with this hash. Whether that repeats or skips messages cannot be "
        "told without a transcript."
    )
    return Consequence("boundary-moved", text, Weight.WARNING)
