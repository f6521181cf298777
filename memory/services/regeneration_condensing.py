"""Several chunks merged into one now, read by a person before they go (memory.md §15, traps F10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memory.engine.condensation import CondensationPlan, build_call, build_plan, condense, move_link
from memory.engine.hashing import hash_text
from memory.engine.regeneration import DraftSpec, Found, Made
from memory.errors import ChunkNotFoundError
from memory.services.notes import CondensedEntry
from memory.services.regeneration_chunks import check_not_blank
from memory.services.regeneration_site import BLANK, Decided, ExpectedCall, Site, Specs, Work, digest_of_entries
from memory.stores.discussion_files import CONDENSATION_KEY
from memory.types import Entry
from wilmer_site.lib.errors import InvalidError

USUAL_BATCH = 3
"""How many chunks are merged when neither the request nor the settings say."""


class CondensingRegenerator:
    """Chunks `first` to `last` as one; without numbers the oldest that were not merged yet."""

    def list_specs(self, site: Site) -> Specs:
        """The one draft; raises InvalidError when fewer than two chunks would be merged."""
        start, end = _choose_batch(site)
        if end - start < 2:
            raise InvalidError("At least two chunks are needed to merge them into one.", field="last")
        entries = site.ledger()[start:end]
        target = {"start": start, "hashes": [entry.hash for entry in entries], "digest": digest_of_entries(entries)}
        spec = DraftSpec(f"Chunks {start + 1:,} to {end:,} as one", target, _found(entries))
        return Specs((spec,), ("The merged chunks themselves go; undo brings them back.",))

    def expect_calls(self, site: Site, specs: Sequence[DraftSpec]) -> Iterator[ExpectedCall]:
        """One call."""
        for spec in specs:
            plan = _find_plan(site, spec.target)
            if plan:
                yield ExpectedCall(spec.title, build_call(plan, site.workshop.settings, site.workshop.resolve))

    def make(self, site: Site, work: Work) -> Iterator[Made]:
        """Ask once, and once more after a blank answer."""
        plan = _find_plan(site, work.target)
        if plan is None:
            raise InvalidError("The chunks to be merged were changed since this job was started. Start it again.")
        answer = site.workshop.ask_twice(build_call(plan, site.workshop.settings, site.workshop.resolve))
        yield Made(answer, answer) if answer is not None else Made("", problem=BLANK)

    def look(self, site: Site, target: Mapping[str, Any]) -> Found | None:
        """The chunks to be merged as they are now, also when their texts were edited."""
        start = _find_start(site.ledger(), target["hashes"])
        return None if start is None else _found(site.ledger()[start : start + len(target["hashes"])])

    def check(self, text: str) -> None:
        """A memory must not be blank."""
        check_not_blank(text)

    def apply(self, site: Site, decided: Sequence[Decided]) -> None:
        """Put one chunk in the place of the batch; links first, so that they point at memories that are there (W34)."""
        files, entries = site.workshop.files, site.ledger()
        for item in decided:
            start = _find_start(entries, item.target["hashes"])
            if start is None:
                continue
            plan = build_plan(entries, start, start + len(item.target["hashes"]))
            site.workshop.log.save_condensed(site.ref, CondensedEntry(plan.hash, hash_text(item.text)))
            _keep_summary_linked(site, plan)
            files.write_memories(condense(entries, plan, item.text))
            if _reaches_tracker(site, entries, plan):
                files.write_condensation_tracker(plan.hash)
        site.refresh()


def _choose_batch(site: Site) -> tuple[int, int]:
    entries, settings = site.ledger(), site.workshop.settings
    if site.request.first is not None:
        first, last = site.request.numbers
        if last > len(entries):
            raise ChunkNotFoundError(f"There is no chunk {last}; the ledger has {len(entries):,}.", number=last)
        return first - 1, last
    start = _tracker_position(site, entries) + 1
    return start, min(len(entries), start + (settings.memories_before_condensation or USUAL_BATCH))


def _tracker_position(site: Site, entries: Sequence[Entry]) -> int:
    """The chunk the tracker names; -1 when it names none."""
    stored = site.workshop.files.read_condensation_tracker().values.get(CONDENSATION_KEY)
    return next((at for at, entry in enumerate(entries) if entry.hash == stored), -1)


def _reaches_tracker(site: Site, entries: Sequence[Entry], plan: CondensationPlan) -> bool:
    """Whether the tracker stays behind the merged chunk or named one that is gone."""
    return _tracker_position(site, entries) < plan.end - 1 and plan.start <= _tracker_position(site, entries) + 1


def _find_plan(site: Site, target: Mapping[str, Any]) -> CondensationPlan | None:
    start = _find_start(site.ledger(), target["hashes"])
    return None if start is None else build_plan(site.ledger(), start, start + len(target["hashes"]))


def _find_start(entries: Sequence[Entry], hashes: Sequence[str]) -> int | None:
    size = len(hashes)
    starts = range(len(entries) - size + 1)
    return next((at for at in starts if [entry.hash for entry in entries[at : at + size]] == list(hashes)), None)


def _found(entries: Sequence[Entry]) -> Found:
    texts = "\n\n".join(entry.text for entry in entries)
    digest = digest_of_entries(entries)
    return Found(texts, digest, digest, texts)


def _keep_summary_linked(site: Site, plan: CondensationPlan) -> None:
    summary = site.summary()
    if summary:
        moved = move_link(site.ledger(), plan, summary[-1].hash)
        if moved != summary[-1].hash:
            site.workshop.files.write_summary([*summary[:-1], Entry(summary[-1].text, moved)])
