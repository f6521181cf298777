"""What one discussion looks like in a list: made from facts, kept as a row, read back as a card."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from memory.engine.chunk_facts import count_behind, link_of
from memory.engine.health import check_health, level_of, rank_of, worst_level
from memory.engine.health_facts import HealthFacts
from memory.models import CatalogueEntry, CatalogueProblem
from memory.results import (
    DatabaseState,
    DiscussionCard,
    HealthCheck,
    HealthLevel,
    SummaryLink,
)
from memory.types import Artefact, DiscussionRef, FileReport, FileStat, FileState, Generation, ListFile

ScannedFiles = Mapping[Artefact, tuple[Path, Generation, FileStat]]
"""What a scan tells of one discussion without opening anything."""

_KNOWN = {FileState.PRESENT, FileState.EMPTY, FileState.ABSENT}


def build_signature(files: ScannedFiles) -> str:
    """Changes with any path, size, time, inode or mode."""
    lines = [
        f"{artefact.value}|{path}|{stat.size_bytes}|{stat.modified_ns}|{stat.inode}|{stat.mode}"
        for artefact, (path, _, stat) in files.items()
    ]
    return hashlib.sha256("\n".join(sorted(lines)).encode("utf-8", "surrogateescape")).hexdigest()


def build_card(facts: HealthFacts, checks: Iterable[HealthCheck]) -> DiscussionCard:
    """The discussion as its files are now. Counts are None where they cannot be known."""
    problems = [check for check in checks if check.level is not HealthLevel.OK]
    states = {report.artefact: report.state for report in facts.files}
    stats = [report.stat for report in facts.files if report.stat is not None]
    newest = max((stat.modified_ns for stat in stats), default=None)
    return DiscussionCard(
        ref=facts.ref,
        generation=_generation_of(facts.files),
        is_encrypted=any(report.is_encrypted for report in facts.files),
        chunk_count=_count(facts.memories),
        memory_count=None if facts.database.state is DatabaseState.UNREADABLE else facts.database.memory_count,
        summary_behind=_count_behind(facts),
        has_summary=bool(facts.summary.entries) or states.get(Artefact.SUMMARY) is FileState.LOCKED,
        has_state_document=any(_has_document(report) for report in facts.files),
        size_bytes=sum(stat.size_bytes for stat in stats),
        last_write=moment_of(newest),
        health=worst_level(problems),
        problem_count=len(problems),
        file_states=states,
    )


def build_entry(card: DiscussionCard, signature: str, *, is_legacy: bool) -> CatalogueEntry:
    """The row of a discussion whose files were read; legacy if any of them follows an older naming."""
    entry = CatalogueEntry(
        ref=card.ref.text,
        folded_id=card.ref.discussion_id.casefold(),
        signature=signature,
        is_read=True,
        generation=card.generation.value,
        is_encrypted=card.is_encrypted,
        chunk_count=card.chunk_count,
        memory_count=card.memory_count,
        summary_behind=card.summary_behind,
        has_summary=card.has_summary,
        size_bytes=card.size_bytes,
        last_write_ns=nanoseconds_of(card.last_write),
        health_rank=rank_of(card.health),
        problem_count=card.problem_count,
        file_states={artefact.value: state.value for artefact, state in card.file_states.items()},
        has_problems=card.problem_count > 0,
        is_summary_behind=bool(card.summary_behind),
        has_state_document=card.has_state_document,
        is_legacy=is_legacy,
    )
    return _fill_chips(entry, card.ref, has_vector=card.file_states.get(Artefact.VECTOR_MEMORY) is FileState.PRESENT)


def build_unread_entry(ref: DiscussionRef, files: ScannedFiles, signature: str) -> CatalogueEntry:
    """The row of a discussion of which only names, sizes and times are known yet."""
    newest = max((stat.modified_ns for _, _, stat in files.values()), default=None)
    generations = [generation for _, generation, _ in files.values()]
    entry = CatalogueEntry(
        ref=ref.text,
        folded_id=ref.discussion_id.casefold(),
        signature=signature,
        generation=(files[Artefact.MEMORIES][1] if Artefact.MEMORIES in files else _first(generations)).value,
        has_summary=Artefact.SUMMARY in files,
        size_bytes=sum(stat.size_bytes for _, _, stat in files.values()),
        last_write_ns=None if newest is None else newest // 1000 * 1000,
        has_state_document=_has_bytes(files, Artefact.STATE_DOCUMENT),
        is_legacy=_are_legacy(generations),
    )
    return _fill_chips(entry, ref, has_vector=_has_bytes(files, Artefact.VECTOR_MEMORY))


def is_legacy(facts: HealthFacts) -> bool:
    """Whether any file that exists follows an older naming."""
    return _are_legacy(report.generation for report in facts.files if report.state is not FileState.ABSENT)


def build_problems(entry: CatalogueEntry, checks: Iterable[HealthCheck]) -> list[CatalogueProblem]:
    """One row per finding, worst first."""
    return [
        CatalogueProblem(
            entry=entry,
            rank=rank_of(check.level),
            code=check.code,
            title=check.title,
            evidence=_storable(check.evidence),
            advice=check.advice,
            count=check.count,
            artefact=check.artefact.value if check.artefact else "",
        )
        for check in checks
        if check.level is not HealthLevel.OK
    ]


def card_of(entry: CatalogueEntry) -> DiscussionCard:
    """The card of a row."""
    return DiscussionCard(
        ref=DiscussionRef.parse(entry.ref),
        generation=Generation(entry.generation),
        is_encrypted=entry.is_encrypted,
        chunk_count=entry.chunk_count,
        memory_count=entry.memory_count,
        summary_behind=entry.summary_behind,
        has_summary=entry.has_summary,
        has_state_document=entry.has_state_document,
        size_bytes=entry.size_bytes,
        last_write=moment_of(entry.last_write_ns),
        health=level_of(entry.health_rank),
        problem_count=entry.problem_count,
        file_states={Artefact(name): FileState(state) for name, state in entry.file_states.items()},
    )


def check_of(problem: CatalogueProblem) -> HealthCheck:
    """The finding of a row."""
    return HealthCheck(
        code=problem.code,
        level=level_of(problem.rank),
        title=problem.title,
        evidence=problem.evidence,
        advice=problem.advice,
        count=problem.count,
        artefact=Artefact(problem.artefact) if problem.artefact else None,
    )


def assess(facts: HealthFacts) -> tuple[DiscussionCard, tuple[HealthCheck, ...]]:
    """Card and checks of one discussion, from the same look at it."""
    checks = check_health(facts)
    return build_card(facts, checks), checks


def moment_of(nanoseconds: int | None) -> datetime | None:
    """A file time as an aware moment in UTC."""
    return None if nanoseconds is None else datetime.fromtimestamp(nanoseconds / 1_000_000_000, UTC)


def nanoseconds_of(moment: datetime | None) -> int | None:
    """The reverse of `moment_of`, to the microsecond."""
    return None if moment is None else round(moment.timestamp() * 1_000_000) * 1000


def _fill_chips(entry: CatalogueEntry, ref: DiscussionRef, *, has_vector: bool) -> CatalogueEntry:
    entry.is_locked = entry.is_encrypted
    entry.is_plain = not entry.is_encrypted
    entry.has_vector = has_vector
    entry.is_keyed = ref.key_hash is not None
    return entry


def _are_legacy(generations: Iterable[Generation]) -> bool:
    return any(generation is not Generation.NESTED for generation in generations)


def _generation_of(files: Iterable[FileReport]) -> Generation:
    """That of the memories, else of the first file that exists."""
    present = [report for report in files if report.state is not FileState.ABSENT]
    memories = [report.generation for report in present if report.artefact is Artefact.MEMORIES]
    return _first(memories or [report.generation for report in present])


def _first(generations: list[Generation]) -> Generation:
    return generations[0] if generations else Generation.NESTED


def _count(file: ListFile) -> int | None:
    return len(file.entries) if file.report.state in _KNOWN else None


def _count_behind(facts: HealthFacts) -> int | None:
    if link_of(facts.summary.entries, facts.memories.entries) is not SummaryLink.LINKED:
        return None
    return count_behind(facts.summary.entries, facts.memories.entries)


def _has_document(report: FileReport) -> bool:
    """Behind a link that leads out of the folder there may be one or not: it has no stat, as it is not followed."""
    return report.artefact is Artefact.STATE_DOCUMENT and report.stat is not None and _is_there(report.state)


def _is_there(state: FileState | None) -> bool:
    return state not in {None, FileState.ABSENT, FileState.EMPTY}


def _storable(text: str) -> str:
    """File names on disk may hold bytes that are no UTF-8; databases refuse those."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")


def _has_bytes(files: ScannedFiles, artefact: Artefact) -> bool:
    return artefact in files and files[artefact][2].size_bytes > 0
