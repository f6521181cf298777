"""The rolling summary written anew from a chunk on, batch by batch as its workflow does it (memory.md §18)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memory.engine.memory_settings import MemorySettings
from memory.engine.model_calls import ModelCall
from memory.engine.prompts import NO_SUMMARY_YET
from memory.engine.regeneration import DraftSpec, Found, Made
from memory.engine.summary_plan import SummaryNode, join_for_summary, list_batches, parse_summary_node
from memory.errors import ChunkNotFoundError
from memory.journal.contents import read_bytes
from memory.models import Revision
from memory.queries.transcripts import folder_key, storable
from memory.services.memory_calls import build_summary_call
from memory.services.regeneration_chunks import check_not_blank
from memory.services.regeneration_site import (
    BLANK,
    Decided,
    ExpectedCall,
    Site,
    Specs,
    Work,
    digest_of_entries,
    find_nodes,
)
from memory.types import Artefact, Entry
from memory.wiring import get_user_settings
from wilmer_site.lib.errors import InvalidError

SUMMARY_NODE = "chatSummarySummarizer"
_SYSTEM_PROMPT = (
    "You keep one running summary of a conversation. Bring the newest memories into it, in order of time. Keep names,"
    " numbers, promises and open questions."
)
_PROMPT = (
    "The summary so far:\n<summary>\n[CHAT_SUMMARY]\n</summary>\n\nWhat has happened since:\n<memories>\n"
    "[LATEST_MEMORIES]\n</memories>\n\nWrite the whole summary anew, with the new part in its place."
)


class SummaryRegenerator:
    """The summary from chunk `first` on; from the first chunk without a number."""

    def list_specs(self, site: Site) -> Specs:
        """The one draft; raises InvalidError without chunks."""
        entries, first = site.ledger(), site.request.first or 1
        if not entries:
            raise InvalidError("There are no chunks yet that a summary could be made from.", field="first")
        if not 1 <= first <= len(entries):
            raise ChunkNotFoundError(f"There is no chunk {first}; the ledger has {len(entries):,}.", number=first)
        node, notes = _choose_node(site.workshop.settings)
        base, explained = _choose_base(site, first)
        target = {"first": first, "hash": entries[-1].hash, "base": base}
        title = f"Summary of chunks {first:,} to {len(entries):,}"
        calls = len(_list_batches(entries, first, node))
        return Specs((DraftSpec(title, target, _found(site, first), calls),), (*notes, *explained))

    def expect_calls(self, site: Site, specs: Sequence[DraftSpec]) -> Iterator[ExpectedCall]:
        """One call for each batch; from the second on with what the one before it answers."""
        for spec in specs:
            steps = _Steps.of(site, spec.target)
            for at, batch in enumerate(steps.batches):
                current = spec.target["base"] if at == 0 else f"(the summary after call {at})"
                yield ExpectedCall(f"{spec.title}, call {at + 1}", steps.build(site, current, batch), at > 0)

    def make(self, site: Site, work: Work) -> Iterator[Made]:
        """A call for each batch that is left."""
        steps = _Steps.of(site, work.target)
        current = work.text if work.done else str(work.target["base"])
        for done, batch in list(enumerate(steps.batches, 1))[work.done :]:
            answer = site.workshop.ask_twice(steps.build(site, current, batch))
            if answer is None:
                yield Made(current if done > 1 else "", problem=BLANK, done=done)
                return
            current = answer
            yield Made(answer, answer, done=done)

    def look(self, site: Site, target: Mapping[str, Any]) -> Found | None:
        """The stored summary, and the chunks it is made from."""
        return _found(site, int(target["first"])) if len(site.ledger()) >= int(target["first"]) else None

    def check(self, text: str) -> None:
        """A blank text never replaces a summary (W23)."""
        check_not_blank(text)

    def apply(self, site: Site, decided: Sequence[Decided]) -> None:
        """Replace the summary, linked to the newest chunk that is in it."""
        for item in decided:
            site.workshop.files.write_summary([Entry(item.text, str(item.target["hash"]))])


@dataclass(frozen=True, slots=True)
class _Steps:
    node: SummaryNode
    batches: tuple[tuple[Entry, ...], ...]

    @classmethod
    def of(cls, site: Site, target: Mapping[str, Any]) -> _Steps:
        node, _ = _choose_node(site.workshop.settings)
        return cls(node, tuple(_list_batches(site.ledger(), int(target["first"]), node)))

    def build(self, site: Site, current: str, batch: Sequence[Entry]) -> ModelCall:
        return build_summary_call(self.node, current, batch, site.workshop.resolve)


def _list_batches(entries: Sequence[Entry], first: int, node: SummaryNode) -> list[tuple[Entry, ...]]:
    """All chunks go in: a remainder does not wait when somebody asks for a whole summary."""
    wanted = list(entries[first - 1 :])
    if not node.uses_memories:
        return [tuple(wanted)]
    return list_batches(wanted, replace(node, min_memories=1))


def _choose_node(settings: MemorySettings) -> tuple[SummaryNode, tuple[str, ...]]:
    """The summary node of the user's summary workflow, else one with our own prompts."""
    workflow = str(get_user_settings().values.get("chatSummaryToolWorkflow") or "")
    node = next((node for node in find_nodes(workflow) if node.get("type") == SUMMARY_NODE), None) if workflow else None
    if node is not None:
        return parse_summary_node(node), ()
    where = (
        f"The workflow {workflow!r} has no node of type {SUMMARY_NODE}" if workflow else "No summary workflow is set"
    )
    own = SummaryNode(_SYSTEM_PROMPT, _PROMPT, target=settings.file_target)
    return own, (f"{where} (chatSummaryToolWorkflow), so built-in prompts are used.",)


def _choose_base(site: Site, first: int) -> tuple[str, tuple[str, ...]]:
    """The text to go on from: the summary as it was when it ended before that chunk, if the history has it."""
    if first == 1:
        return NO_SUMMARY_YET, ()
    before, summary = site.ledger()[first - 2].hash, site.summary()
    if summary and summary[-1].hash == before:
        return summary[0].text, ()
    earlier = _find_earlier(site, before)
    if earlier is not None:
        return earlier, (f"It goes on from the summary as it was after chunk {first - 1:,}, which the history has.",)
    text = summary[0].text if summary else NO_SUMMARY_YET
    warning = (
        f"The history has no summary that ended at chunk {first - 1:,}, so it goes on from the present text, which may"
        " hold some of these chunks already. To begin anew, start at chunk 1."
    )
    return text, (warning,)


def _find_earlier(site: Site, message_hash: str) -> str | None:
    """The newest stored version of the summary whose link was that hash; encrypted versions are passed over."""
    rows = Revision.objects.filter(
        folder=folder_key(), discussion=storable(site.ref.text), artefact=Artefact.SUMMARY.value, after__isnull=False
    ).select_related("after")
    for row in rows.order_by("-id")[:500]:
        entry = _read_entry(read_bytes(row.after) or b"")
        if entry is not None and entry.hash == message_hash:
            return entry.text
    return None


def _read_entry(data: bytes) -> Entry | None:
    try:
        value = json.loads(data)
        return Entry(str(value[-1]["text_block"]), str(value[-1]["hash"]))
    except (ValueError, LookupError, TypeError):
        return None


def _found(site: Site, first: int) -> Found:
    summary, fed = site.summary(), site.ledger()[first - 1 :]
    return Found(
        summary[0].text if summary else "",
        digest_of_entries(fed),
        digest_of_entries(summary),
        join_for_summary(fed),
    )
