"""The ledger packed and written anew, whole or from a message on. The stored one stays in use until all is accepted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from memory.engine.chunking import PackedChunk, pack_messages
from memory.engine.covered_messages import uncovered_after
from memory.engine.messages import join_contents
from memory.engine.model_calls import Call
from memory.engine.new_messages import build_trail
from memory.engine.prompts import MEMORY_SEPARATOR
from memory.engine.regeneration import DraftSpec, Found, Kind, Made, digest_of
from memory.engine.triggers import WriterPath
from memory.services.memory_calls import build_file_call
from memory.services.regeneration_chunks import check_not_blank
from memory.services.regeneration_site import BLANK, Decided, ExpectedCall, Site, Specs, Work, digest_of_entries
from memory.stores.discussion_files import CONDENSATION_KEY
from memory.types import Entry
from wilmer_site.lib.errors import InvalidError


class LedgerRegenerator:
    """Every chunk, or those from message `first` on, packed as the writer would pack them today."""

    def list_specs(self, site: Site) -> Specs:
        """One draft for each new chunk; raises InvalidError when there is nothing to pack."""
        cut, start, end = _choose_stretch(site)
        chunks = pack_messages(
            site.talk().messages[start:end], site.workshop.settings.file_thresholds.chunk_size, offset=start
        )
        if not chunks:
            raise InvalidError("There are no messages from which memories could be made there yet.", field="first")
        old = len(site.ledger()) - cut
        notes = [_explain_change(len(chunks), old, cut)]
        if len(chunks) > 1:
            notes.append(
                "Memories that are not made yet are sent with later calls, and are not in the number of tokens."
            )
        lost = sum(covered.span is None for covered in site.spans()[cut:])
        if lost:
            notes.append(f"{lost:,} of the chunks that go were made from messages that are not in the transcript.")
        return Specs(tuple(_build_spec(site, cut, at, chunk) for at, chunk in enumerate(chunks)), tuple(notes))

    def expect_calls(self, site: Site, specs: Sequence[DraftSpec]) -> Iterator[ExpectedCall]:
        """One call each; memories that are not made yet are named in their place."""
        earlier: dict[int, str] = {}
        for position, spec in enumerate(specs, 1):
            yield ExpectedCall(spec.title, self._build_call(site, Work(spec.target, earlier)), bool(earlier))
            earlier[position] = f"(new memory {position}, not made yet)"

    def make(self, site: Site, work: Work) -> Iterator[Made]:
        """Ask once, and once more after a blank answer."""
        answer = site.workshop.ask_twice(self._build_call(site, work))
        yield Made(answer, answer) if answer is not None else Made("", problem=BLANK)

    def look(self, site: Site, target: Mapping[str, Any]) -> Found | None:
        """The stretch of the ledger that goes, and the messages of the new chunk."""
        talk, start, end = site.talk(), int(target["start"]), int(target["end"])
        if end > len(talk.hashes) or talk.hashes[end - 1] != target["hash"]:
            return None
        return _found(site, int(target["cut"]), start, end)

    def check(self, text: str) -> None:
        """A memory must not be blank (W15)."""
        check_not_blank(text)

    def apply(self, site: Site, decided: Sequence[Decided]) -> None:
        """Put the new chunks in the place of the old ones, and let every link point at what covers as much."""
        files, entries = site.workshop.files, site.ledger()
        cut = int(decided[0].target["cut"])
        new = [Entry(item.text, str(item.target["hash"])) for item in decided]
        ends = [int(item.target["end"]) for item in decided]
        links = _Links(site, cut, new, ends)
        summary = site.summary()
        if summary:
            moved = links.move(summary[-1].hash)
            if moved != summary[-1].hash:
                files.write_summary([*summary[:-1], Entry(summary[-1].text, moved)])
        tracker = self._choose_tracker(site, links)
        if tracker:
            files.write_condensation_tracker(tracker)
        # The ledger comes last: whoever is interrupted before it finds everything to be done once more.
        files.write_memories([*entries[:cut], *new])
        site.refresh()
        _note_progress(site, decided)

    def _choose_tracker(self, site: Site, links: _Links) -> str | None:
        """After everything was made anew condensation counts from the newest chunk (memory.md §10.4 step 4)."""
        if site.request.kind is Kind.EVERYTHING and site.workshop.settings.condenses:
            return links.new[-1].hash
        stored = site.workshop.files.read_condensation_tracker().values.get(CONDENSATION_KEY)
        moved = links.move(stored) if isinstance(stored, str) else stored
        return moved if moved and moved != stored else None

    def _build_call(self, site: Site, work: Work) -> Call:
        target = work.target
        texts = [entry.text for entry in site.ledger()[: int(target["cut"])]]
        texts += [text for position, text in sorted(work.earlier.items()) if position <= int(target["index"])]
        chunk = join_contents(site.talk().messages[int(target["start"]) : int(target["end"])])
        summary = site.summary()
        return build_file_call(site.workshop, chunk, texts, summary[0].text if summary else "")


@dataclass(frozen=True, slots=True)
class _Links:
    """What hashes that pointed into the old stretch point at afterwards (W34)."""

    site: Site
    cut: int
    new: Sequence[Entry]
    ends: Sequence[int]

    def move(self, stored: str) -> str:
        """The newest chunk that covers no more than the one it named; empty when there is none."""
        entries, spans = self.site.ledger(), self.site.spans()
        kept = {entry.hash for entry in entries[: self.cut]} | {entry.hash for entry in self.new}
        named = next((at for at in range(len(entries) - 1, -1, -1) if entries[at].hash == stored), None)
        if stored in kept or named is None:
            return stored
        reach = next((span.span.end for span in reversed(spans[: named + 1]) if span.span), 0)
        within = [entry.hash for entry, end in zip(self.new, self.ends, strict=True) if end <= reach]
        before = entries[self.cut - 1].hash if self.cut else ""
        return within[-1] if within else before


def _choose_stretch(site: Site) -> tuple[int, int, int]:
    """How many chunks stay, and the messages `[start, end)` that are packed anew."""
    talk, spans = site.talk(), site.spans()
    lookback = max(0, site.workshop.settings.file_thresholds.lookback)
    covered = uncovered_after(spans)
    # What was processed before stays processed, also when fewer messages would be eligible today.
    end = max(len(talk.messages) - lookback, covered)
    if site.request.kind is Kind.EVERYTHING:
        return 0, 0, end
    number = site.request.numbers[0]
    position = talk.find_position(number)
    if position == len(talk.numbers):
        last = talk.numbers[-1] if talk.numbers else 0
        raise InvalidError(f"There is no message {number:,}; the chat ends with message {last:,}.", field="first")
    for at, span in enumerate(spans):
        if span.span and span.span.end > position and not span.is_out_of_order:
            return at, span.span.start, end
    return len(spans), covered, end


def _explain_change(new: int, old: int, kept: int) -> str:
    several = "s" if new > 1 else ""
    place = f"take the place of {old:,}" if old else "be added"
    stay = (
        f"; the first {kept:,} stay{'s' if kept == 1 else ''} as {'it is' if kept == 1 else 'they are'}" if kept else ""
    )
    return f"{new:,} new chunk{several} would {place}{stay}."


def _build_spec(site: Site, cut: int, index: int, chunk: PackedChunk) -> DraftSpec:
    start, end, talk = chunk.span.start, chunk.span.end, site.talk()
    target = {
        "cut": cut,
        "index": index,
        "number": cut + index + 1,
        "start": start,
        "end": end,
        "hash": chunk.hash,
        "first": talk.numbers[start],
        "last": talk.numbers[end - 1],
    }
    title = f"New chunk {cut + index + 1:,}, {talk.name(start, end)}"
    return DraftSpec(title, target, _found(site, cut, start, end))


def _found(site: Site, cut: int, start: int, end: int) -> Found:
    talk, entries = site.talk(), site.ledger()
    overlapping = [entries[at].text for at in site.list_covering(start, end) if at >= cut]
    return Found(
        MEMORY_SEPARATOR.join(overlapping),
        digest_of(list(talk.hashes[start:end])),
        _digest_of_stretch(site, cut),
        join_contents(talk.messages[start:end]),
    )


def _digest_of_stretch(site: Site, cut: int) -> str:
    name = f"stretch from {cut}"
    if name not in site.memo:
        site.memo[name] = digest_of_entries(site.ledger()[cut:])
    return site.memo[name]


@transaction.atomic
def _note_progress(site: Site, decided: Sequence[Decided]) -> None:
    log, talk = site.workshop.log, site.talk()
    log.save_trail(site.ref, WriterPath.FILE, build_trail(talk.messages, int(decided[-1].target["end"])))
    for item in decided:
        start, end = int(item.target["start"]), int(item.target["end"])
        log.save_covered(site.ref, WriterPath.FILE, str(item.target["hash"]), talk.hashes[start:end])
