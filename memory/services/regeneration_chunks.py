"""Chunks made anew where they stand: same messages, same place, same hash; only the text is new."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memory.engine.chunking import Span
from memory.engine.covered_messages import CoveredSpan, Finding
from memory.engine.messages import join_contents
from memory.engine.regeneration import DraftSpec, Found, Made, digest_of
from memory.engine.triggers import WriterPath
from memory.errors import ChunkNotFoundError
from memory.services.memory_calls import build_file_call
from memory.services.regeneration_site import BLANK, Decided, ExpectedCall, Site, Specs, Work, digest_of_entries
from memory.types import Entry
from wilmer_site.lib.errors import InvalidError


class ChunkRegenerator:
    """Chunks `first` to `last`."""

    def list_specs(self, site: Site) -> Specs:
        """One draft for each chunk whose messages are known; raises InvalidError when none is."""
        request, entries = site.request, site.ledger()
        last = max(request.picked) if request.picked else request.numbers[1]
        if last > len(entries):
            raise ChunkNotFoundError(f"There is no chunk {last}; the ledger has {len(entries):,}.", number=last)
        spans = site.spans()
        drafts, notes = [], []
        for number in request.chosen:
            covered = spans[number - 1]
            if covered.span is None:
                notes.append(_explain_missing(number))
                continue
            notes += _list_doubts(number, covered)
            drafts.append(_build_spec(site, number, covered.span))
        if not drafts:
            raise InvalidError(" ".join(notes), field="first")
        return Specs(tuple(drafts), tuple(notes))

    def expect_calls(self, site: Site, specs: Sequence[DraftSpec]) -> Iterator[ExpectedCall]:
        """One call each; from the second on, memories before it may be those that the first ones answer."""
        for at, spec in enumerate(specs):
            yield ExpectedCall(spec.title, self._build_call(site, Work(spec.target)), is_provisional=at > 0)

    def make(self, site: Site, work: Work) -> Iterator[Made]:
        """Ask once, and once more after a blank answer."""
        answer = site.workshop.ask_twice(self._build_call(site, work))
        yield Made(answer, answer) if answer is not None else Made("", problem=BLANK)

    def look(self, site: Site, target: Mapping[str, Any]) -> Found | None:
        """The chunk and its messages as they are now."""
        at = _find_entry(site, target)
        if at is None:
            return None
        span = site.spans()[at].span
        return _found(site, site.ledger()[at], span)

    def check(self, text: str) -> None:
        """A memory must not be blank (W15)."""
        check_not_blank(text)

    def apply(self, site: Site, decided: Sequence[Decided]) -> None:
        """Replace the texts in one write."""
        entries = list(site.ledger())
        spans, hashes = site.spans(), site.talk().hashes
        for item in decided:
            at = _find_entry(site, item.target)
            if at is None:
                continue
            entries[at] = Entry(item.text, entries[at].hash)
            span = spans[at].span
            if span:
                site.workshop.log.save_covered(
                    site.ref, WriterPath.FILE, entries[at].hash, hashes[span.start : span.end]
                )
        site.workshop.files.write_memories(entries)
        site.refresh()

    def _build_call(self, site: Site, work: Work) -> Any:
        at = _find_entry(site, work.target)
        span = site.spans()[at].span if at is not None else None
        if at is None or span is None:
            raise InvalidError(_explain_missing(int(work.target["number"])))
        texts = [entry.text for entry in site.ledger()[:at]]
        for number, text in work.earlier.items():
            if number <= at:
                texts[number - 1] = text
        chunk = join_contents(site.talk().messages[span.start : span.end])
        summary = site.summary()
        return build_file_call(site.workshop, chunk, texts, summary[0].text if summary else "")


def check_not_blank(text: str) -> None:
    """Raise InvalidError for a text that says nothing."""
    if not text.strip():
        raise InvalidError("The text is blank. Write something, or reject the draft.", field="text")


def _build_spec(site: Site, number: int, span: Span) -> DraftSpec:
    entry = site.ledger()[number - 1]
    talk = site.talk()
    target = {
        "number": number,
        "hash": entry.hash,
        "first": talk.numbers[span.start],
        "last": talk.numbers[span.end - 1],
    }
    return DraftSpec(f"Chunk {number:,}, {talk.name(span.start, span.end)}", target, _found(site, entry, span))


def _found(site: Site, entry: Entry, span: Span | None) -> Found:
    talk = site.talk()
    hashes = talk.hashes[span.start : span.end] if span else ()
    sources = join_contents(talk.messages[span.start : span.end]) if span else ""
    return Found(entry.text, digest_of(list(hashes)), digest_of_entries([entry]), sources)


def _find_entry(site: Site, target: Mapping[str, Any]) -> int | None:
    """Where the chunk stands by now: at its number, else at the one other place with its hash."""
    entries, number, value = site.ledger(), int(target["number"]), target["hash"]
    if number <= len(entries) and entries[number - 1].hash == value:
        return number - 1
    places = [at for at, entry in enumerate(entries) if entry.hash == value]
    return places[0] if len(places) == 1 else None


def _explain_missing(number: int) -> str:
    return (
        f"Chunk {number:,} cannot be made anew: no message of the transcript has its hash. The message was edited or"
        " deleted, or the transcript is incomplete."
    )


def _list_doubts(number: int, covered: CoveredSpan) -> list[str]:
    doubts = []
    if covered.finding is Finding.AMBIGUOUS:
        doubts.append(
            f"Chunk {number:,} may end earlier: {len(covered.candidates)} messages have its hash. The newest counts."
        )
    if not covered.is_start_known:
        doubts.append(
            f"The chunk before chunk {number:,} was not found in the transcript, so the messages of both are taken."
        )
    return doubts
