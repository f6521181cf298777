"""Health checks of what the files say about each other: hashes, trackers, the state document and its backup."""

from __future__ import annotations

from collections.abc import Iterator

from memory.engine.chunk_facts import chunk_numbers, condensed_count, count_behind, link_of
from memory.engine.health_facts import HealthFacts
from memory.engine.health_files import finding
from memory.engine.wording import format_count
from memory.results import HealthCheck, HealthLevel, SummaryLink
from memory.types import Artefact, FileState, ListFile, ObjectFile

GUARDED_LENGTH = 500
"""Below this many characters a state document may shrink freely (memory.md §17)."""

_READABLE = {FileState.PRESENT, FileState.EMPTY, FileState.ABSENT}


def link_checks(facts: HealthFacts) -> Iterator[HealthCheck]:
    """Checks that need the contents; those of locked or damaged files are left out."""
    if _is_readable(facts.memories):
        yield _skipped_entries(facts)
        yield _same_hashes(facts)
        if _is_readable(facts.summary):
            yield _summary_link(facts)
        if _is_readable(facts.condensation):
            yield _condensation_link(facts)
    yield _state_document(facts)


def _is_readable(file: ListFile | ObjectFile) -> bool:
    return file.report.state in _READABLE


def _skipped_entries(facts: HealthFacts) -> HealthCheck:
    skipped = [
        f"{file.report.path.name}: {sentence}" for file in (facts.memories, facts.summary) for sentence in file.skipped
    ]
    return finding(
        HealthCheck(
            "entries-skipped",
            HealthLevel.WARNING,
            "Entries that are no entries",
            "",
            advice="They are left out of every list and kept in a .damaged copy before the file is written again.",
        ),
        skipped,
    )


def _same_hashes(facts: HealthFacts) -> HealthCheck:
    doubles = [
        f"chunks {', '.join(map(str, numbers))} share {message_hash[:12] or 'an empty hash'}"
        for message_hash, numbers in chunk_numbers(facts.memories.entries).items()
        if len(numbers) > 1
    ]
    return finding(
        HealthCheck(
            "duplicate-hashes",
            HealthLevel.WARNING,
            "Chunks with the same hash",
            "",
            advice="A later message was equal to an old one, or a chunk was made twice. "
            "Messages between the two may have been skipped: compare with the conversation.",
            artefact=Artefact.MEMORIES,
        ),
        doubles,
    )


def _summary_link(facts: HealthFacts) -> HealthCheck:
    title = "Rolling summary knows how far it reaches"
    link = link_of(facts.summary.entries, facts.memories.entries)
    if link is SummaryLink.LOST:
        short = facts.summary.entries[-1].hash[:12] or "(empty)"
        return HealthCheck(
            "summary-link-lost",
            HealthLevel.WARNING,
            title,
            f"Its hash {short} names none of {format_count(len(facts.memories.entries), 'chunk')}.",
            "The next summary would read all chunks into the existing text again. Link it to the right chunk.",
            1,
            Artefact.SUMMARY,
        )
    evidence = {
        SummaryLink.NO_SUMMARY: "There is no rolling summary.",
        SummaryLink.NO_CHUNKS: "There is a summary but no chunk it could be linked to.",
    }.get(link) or _describe_lag(count_behind(facts.summary.entries, facts.memories.entries))
    return HealthCheck("summary-link-lost", HealthLevel.OK, title, evidence)


def _describe_lag(behind: int) -> str:
    return "It covers every chunk." if behind == 0 else f"It is {format_count(behind, 'chunk')} behind."


def _condensation_link(facts: HealthFacts) -> HealthCheck:
    title = "Condensation tracker names a chunk"
    value = facts.condensation.values.get("lastCondensationHash")
    if not value:
        return HealthCheck("condensation-link-lost", HealthLevel.OK, title, "Nothing was condensed yet.")
    passed = condensed_count(str(value), facts.memories.entries)
    if passed:
        return HealthCheck("condensation-link-lost", HealthLevel.OK, title, f"It names chunk {passed}.")
    return HealthCheck(
        "condensation-link-lost",
        HealthLevel.WARNING,
        title,
        f"Its hash {str(value)[:12]} names none of {format_count(len(facts.memories.entries), 'chunk')}.",
        "All chunks count as new and condensed ones may be condensed again. Set the tracker to the right chunk.",
        1,
        Artefact.CONDENSATION_TRACKER,
    )


def _state_document(facts: HealthFacts) -> HealthCheck:
    """A document far below its backup was probably lost to a bad model reply (memory.md §17)."""
    title = "State document against its backup"
    document, backup = facts.state_document, facts.state_document_backup
    now, before = len(document.text.strip()), len(backup.text.strip())
    if document.report.state in {FileState.PRESENT, FileState.EMPTY} and not now:
        evidence = f"The document is blank; its backup has {before:,} characters."
    elif document.report.state is FileState.PRESENT and before > GUARDED_LENGTH and now * 2 < before:
        evidence = f"The document has {now:,} characters, its backup {before:,}."
    else:
        return HealthCheck("state-document-shrunk", HealthLevel.OK, title, "Nothing was lost.")
    return HealthCheck(
        "state-document-shrunk",
        HealthLevel.WARNING,
        title,
        evidence,
        "Compare the two and restore the backup if something is missing.",
        1,
        Artefact.STATE_DOCUMENT,
    )
