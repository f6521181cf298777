"""The state document written anew from the vector memories, oldest first (memory.md §17)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memory.engine.regeneration import DraftSpec, Found, Made, digest_of
from memory.engine.state_document_guard import guard_state_document
from memory.engine.tokens import estimate_tokens
from memory.errors import DamagedFileError
from memory.services.memory_calls import build_state_call
from memory.services.regeneration_chunks import check_not_blank
from memory.services.regeneration_site import BLANK, Decided, ExpectedCall, Site, Specs, Work
from memory.services.workshop import SAFE_STATES
from memory.types import VectorMemory
from wilmer_site.lib.errors import InvalidError

PAGE = 500


class StateDocumentRegenerator:
    """Without a number from an empty document; with one, memories from that id on are merged into the present one."""

    def list_specs(self, site: Site) -> Specs:
        """The one draft; raises InvalidError without a workflow or without memories."""
        settings = site.workshop.settings
        if not settings.text("stateDocumentWorkflowName"):
            raise InvalidError(
                "The memory settings name no workflow for the state document (stateDocumentWorkflowName).", field="kind"
            )
        first = site.request.first
        memories = _list_memories(site, first)
        if not memories:
            raise InvalidError("There are no vector memories that a state document could be made from.", field="first")
        found, batches = _found(site, memories), _batches(site, memories)
        target = {"first": first, "base": found.text if first is not None else ""}
        title = f"State document from {len(memories):,} memories"
        notes = () if settings.uses_state_document else ("useStateDocument is off: WilmerAI itself keeps none.",)
        return Specs((DraftSpec(title, target, found, len(batches)),), notes)

    def expect_calls(self, site: Site, specs: Sequence[DraftSpec]) -> Iterator[ExpectedCall]:
        """One call for each batch; from the second on with the document that the one before it gives back."""
        for spec in specs:
            batches = _batches(site, _list_memories(site, spec.target["first"]))
            for at, batch in enumerate(batches):
                document = spec.target["base"] if at == 0 else f"(the document after call {at})"
                call = build_state_call(site.workshop.settings, batch, document)
                yield ExpectedCall(f"{spec.title}, call {at + 1}", call, at > 0)

    def make(self, site: Site, work: Work) -> Iterator[Made]:
        """A call for each batch that is left; the guard is heard at the end, and a person decides."""
        batches = _batches(site, _list_memories(site, work.target["first"]))
        document = work.text if work.done else str(work.target["base"])
        for done, batch in list(enumerate(batches, 1))[work.done :]:
            answer = site.workshop.ask_twice(build_state_call(site.workshop.settings, batch, document))
            if answer is None:
                yield Made(document, problem=BLANK, done=done)
                return
            document = answer.strip()
            yield Made(document, answer, done=done, notes=_warn(site, document) if done == len(batches) else ())

    def look(self, site: Site, target: Mapping[str, Any]) -> Found | None:
        """The stored document and the memories."""
        return _found(site, _list_memories(site, target["first"]))

    def check(self, text: str) -> None:
        """A blank text never replaces the document."""
        check_not_blank(text)

    def apply(self, site: Site, decided: Sequence[Decided]) -> None:
        """Replace the document; the version before goes into the backup."""
        for item in decided:
            site.workshop.files.write_state_document(item.text)


def _list_memories(site: Site, first: int | None) -> list[VectorMemory]:
    found: list[VectorMemory] = []
    while True:
        page = site.workshop.database.list_memories(offset=len(found), limit=PAGE, newest_first=False)
        found += page
        if len(page) < PAGE:
            return [memory for memory in found if memory.id >= (first or 0)]


def _batches(site: Site, memories: Sequence[VectorMemory]) -> list[list[str]]:
    """As many memories in one call as a chunk of messages may be long."""
    limit = site.workshop.settings.vector_thresholds.chunk_size
    batches: list[list[str]] = []
    size = 0
    for memory in memories:
        tokens = estimate_tokens(memory.text)
        if not batches or size + tokens > limit:
            batches.append([])
            size = 0
        batches[-1].append(memory.text)
        size += tokens
    return batches


def _found(site: Site, memories: Sequence[VectorMemory]) -> Found:
    stored = site.workshop.files.read_state_document()
    if stored.report.state not in SAFE_STATES:
        raise DamagedFileError(
            stored.report.problem or "The state document cannot be read.", file=stored.report.path.name
        )
    source = digest_of([[memory.id, memory.text] for memory in memories])
    return Found(stored.text, source, digest_of(stored.text), "\n".join(f"- {memory.text}" for memory in memories))


def _warn(site: Site, document: str) -> tuple[str, ...]:
    stored = site.workshop.files.read_state_document().text
    verdict = guard_state_document(stored, document, site.workshop.settings.retention_ratio)
    if verdict.is_replaced or not document:
        return ()
    warning = (
        f"WilmerAI's shrink guard would refuse this: {verdict.new_length:,} characters, and it wants"
        f" {verdict.needed_length:,.0f} of the {verdict.old_length:,} there are."
    )
    return (warning,)
