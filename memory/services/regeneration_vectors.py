"""The vector memories of a stretch of messages made anew; the hash log stays as it is (memory.md §12)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memory.engine.chunking import Span
from memory.engine.covered_messages import spans_of
from memory.engine.llm_json import LlmReply, ReplyKind, is_usable, parse_reply
from memory.engine.messages import join_contents
from memory.engine.model_calls import Call
from memory.engine.regeneration import DraftSpec, Found, Made, digest_of
from memory.errors import MemoryNotFoundError
from memory.services.memory_calls import build_vector_call
from memory.services.regeneration_site import Decided, ExpectedCall, Site, Specs, Work
from memory.stores.journaling import RowState
from memory.stores.vector_metadata import parse_metadata
from memory.stores.vector_replace import replace_memories
from memory.stores.vector_rows import StoredMemory
from memory.stores.vector_writes import MemoryBatch, NewMemory, get_stored_memory
from memory.types import Entry, ProgressHash, VectorMemory
from wilmer_site.lib.errors import InvalidError

PAGE = 1000
ALL_ROWS = 1_000_000

_PROBLEMS = {
    ReplyKind.EMPTY: "The model gave a blank answer, twice.",
    ReplyKind.UNREADABLE: "The answer could not be read as JSON.",
    ReplyKind.INCOMPLETE: "Nothing in the answer has all four keys.",
}


class VectorRegenerator:
    """The memories that were made from messages `first` to `last`, by rows of the hash log."""

    def list_specs(self, site: Site) -> Specs:
        """One draft for each log row whose messages lie there; raises InvalidError when none does."""
        first, last = site.request.numbers
        talk = site.talk()
        wanted = Span(talk.find_position(first), talk.find_position(last + 1))
        rows = sorted(site.workshop.database.list_progress(ALL_ROWS), key=lambda row: row.row_id or 0)
        spans = spans_of([Entry("", row.message_hash) for row in rows], talk.hashes)
        memories = _list_memories(site)
        drafts = []
        for at, (row, covered) in enumerate(zip(rows, spans, strict=True)):
            if covered.span and covered.span.start < wanted.end and wanted.start < covered.span.end:
                since = rows[at - 1].timestamp if at else ""
                drafts.append(_build_spec(site, row, covered.span, _choose(memories, since, row.timestamp)))
        if not drafts:
            raise InvalidError(
                f"No vector memories were made from messages {first:,} to {last:,} yet: no hash in the log names one of"
                " them. Those that memory has not reached come with the next run.",
                field="first",
            )
        note = "Which memories come from which messages is told by their times; look at the old ones before you accept."
        return Specs(tuple(drafts), (note,))

    def expect_calls(self, site: Site, specs: Sequence[DraftSpec]) -> Iterator[ExpectedCall]:
        """One call each."""
        for spec in specs:
            yield ExpectedCall(spec.title, _build_call(site, spec.target))

    def make(self, site: Site, work: Work) -> Iterator[Made]:
        """Ask once, and once more after an answer without memories; an unusable answer is kept for mending (M2)."""
        raw, reply = "", parse_reply("")
        for _ in range(2):
            raw = site.workshop.model.ask(_build_call(site, work.target)) or ""
            reply = parse_reply(raw)
            if reply.memories or reply.kind is ReplyKind.NOTHING_TO_STORE:
                break
        yield _judge(raw, reply)

    def look(self, site: Site, target: Mapping[str, Any]) -> Found | None:
        """The stored memories and the messages; None when the chat has become shorter."""
        talk = site.talk()
        start, end = int(target["start"]), int(target["end"])
        if end > len(talk.hashes):
            return None
        return _found(site, Span(start, end), _read_stored(site, target["ids"]))

    def check(self, text: str) -> None:
        """Raise InvalidError for what is not a JSON list of complete memories."""
        parse_memories(text)

    def apply(self, site: Site, decided: Sequence[Decided]) -> None:
        """Take out the old memories of each stretch and put in the new ones, under the date of the old."""
        database, settings = site.workshop.database, site.workshop.settings
        for item in decided:
            old = _read_stored(site, item.target["ids"])
            new = tuple(NewMemory(memory["summary"], memory) for memory in parse_memories(item.text))
            batch = MemoryBatch(new, index_topics=settings.indexes_topics)
            date = old[0].date_added if old else str(item.target["date"])
            with site.workshop.files.recording_rows(RowState(old)) as record:
                added = replace_memories(database.path, site.ref.discussion_id, old, batch, date=date)
                kept = {memory.id for memory in added}
                record.after = RowState(added, tuple(memory.id for memory in old if memory.id not in kept))


def parse_memories(text: str) -> list[Mapping[str, Any]]:
    """The memories of an edited list; `[]` has none. Raises InvalidError that says what is wrong."""
    try:
        value = json.loads(text)
    except ValueError as error:
        raise InvalidError(
            f"This is not JSON: {error}. Write a list of memories, or [] for none.", field="text"
        ) from None
    items = [value] if isinstance(value, dict) else value
    if not isinstance(items, list):
        raise InvalidError("Write a JSON list of memories, or [] for none.", field="text")
    for number, item in enumerate(items, 1):
        if not is_usable(item):
            raise InvalidError(
                f"Memory {number} needs the keys title, summary, entities and key_phrases.", field="text"
            )
    return items


def format_memories(memories: Sequence[Mapping[str, Any]]) -> str:
    """Memories as the edit box shows them."""
    return json.dumps([dict(memory) for memory in memories], indent=2, ensure_ascii=False)


def _judge(raw: str, reply: LlmReply) -> Made:
    if reply.memories:
        dropped = tuple(f"Left out, because it {part.reason}: {part.excerpt}" for part in reply.dropped)
        return Made(format_memories(reply.memories), raw, notes=dropped)
    if reply.kind is ReplyKind.NOTHING_TO_STORE:
        return Made("[]", raw, notes=("The model found nothing worth storing. Accepting removes the old memories.",))
    return Made(raw, raw, problem=f"{_PROBLEMS[reply.kind]} It stands below as it came; mend it by hand, or try again.")


def _build_call(site: Site, target: Mapping[str, Any]) -> Call:
    messages = site.talk().messages[int(target["start"]) : int(target["end"])]
    return build_vector_call(site.workshop, join_contents(messages))


def _list_memories(site: Site) -> list[VectorMemory]:
    found: list[VectorMemory] = []
    while True:
        page = site.workshop.database.list_memories(offset=len(found), limit=PAGE, newest_first=False)
        found += page
        if len(page) < PAGE:
            return found


def _choose(memories: Sequence[VectorMemory], since: str, until: str) -> list[int]:
    """Memories are stored right before their chunk is logged, so their time lies after the log row before."""
    low, high = _sortable(since), _sortable(until)
    return [memory.id for memory in memories if low < _sortable(memory.date_added) <= high]


def _sortable(moment: str) -> str:
    """Times of all generations in one order (memory.md §6)."""
    return moment.strip().replace(" ", "T")


def _build_spec(site: Site, row: ProgressHash, span: Span, ids: Sequence[int]) -> DraftSpec:
    talk = site.talk()
    target = {
        "row": row.row_id,
        "hash": row.message_hash,
        "date": row.timestamp,
        "start": span.start,
        "end": span.end,
        "ids": list(ids),
        "first": talk.numbers[span.start],
        "last": talk.numbers[span.end - 1],
    }
    name = talk.name(span.start, span.end)
    title = f"{name[:1].upper()}{name[1:]}: {len(ids)} memor{'y' if len(ids) == 1 else 'ies'}"
    return DraftSpec(title, target, _found(site, span, _read_stored(site, ids)))


def _read_stored(site: Site, ids: Sequence[int]) -> tuple[StoredMemory, ...]:
    found = []
    for memory_id in ids:
        try:
            found.append(get_stored_memory(site.workshop.database.path, int(memory_id)))
        except MemoryNotFoundError:
            continue
    return tuple(found)


def _found(site: Site, span: Span, stored: Sequence[StoredMemory]) -> Found:
    talk = site.talk()
    shown = [{**parse_metadata(memory.metadata_json)[0], "summary": memory.text} for memory in stored]
    return Found(
        format_memories(shown),
        digest_of(list(talk.hashes[span.start : span.end])),
        digest_of([[memory.id, memory.text, memory.metadata_json] for memory in stored]),
        join_contents(talk.messages[span.start : span.end]),
    )
