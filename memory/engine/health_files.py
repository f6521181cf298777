"""Health checks of the files themselves: can each be read, is it the one that counts, does its name travel."""

from __future__ import annotations

import stat
from collections.abc import Iterable, Iterator
from dataclasses import replace

from memory.engine.discussion_ids import find_creation_problem
from memory.engine.health_facts import HealthFacts
from memory.results import HealthCheck, HealthLevel
from memory.types import Artefact, FileReport, FileState

_STATE_CHECKS = (
    (
        FileState.DAMAGED,
        "file-damaged",
        HealthLevel.ERROR,
        "Damaged files",
        "Open the file's raw view, mend the text by hand or restore a revision. The console will not overwrite it.",
    ),
    (
        FileState.UNREADABLE,
        "file-unreadable",
        HealthLevel.ERROR,
        "Files the operating system refuses",
        "Give the user that runs the console read access, or replace a link by the real file.",
    ),
    (
        FileState.TOO_LARGE,
        "file-too-large",
        HealthLevel.WARNING,
        "Files over the size limit",
        "Raise WILMER_MAX_FILE_MB if the file is meant to be that large.",
    ),
    (
        FileState.LOCKED,
        "file-locked",
        HealthLevel.OK,
        "Encrypted files",
        "Unlock the discussion with its API key to see and check what is inside.",
    ),
)


def file_checks(facts: HealthFacts) -> Iterator[HealthCheck]:
    """States, modes, leftovers, doubles, links and the id. The state of the vector database has a check of its own."""
    files = [report for report in facts.files if report.artefact is not Artefact.VECTOR_MEMORY]
    for state, code, level, title, advice in _STATE_CHECKS:
        found = [report for report in files if report.state is state]
        yield finding(HealthCheck(code, level, title, "", advice, artefact=_only(found)), _describe(found))
    yield _empty_files(facts)
    yield _memories_absent(facts)
    yield _modes(facts.files)
    yield leftover_check(facts.folder.leftovers)
    yield case_check(facts.folder.case_variants)
    yield _other_generations(facts)
    yield _links_out(facts)
    yield _unsafe_id(facts.ref.discussion_id)


def finding(kind: HealthCheck, evidence: Iterable[str]) -> HealthCheck:
    """That kind of check with one piece of evidence per affected thing; OK when there is none."""
    found = list(evidence)
    if not found:
        return HealthCheck(kind.code, HealthLevel.OK, kind.title, "None found.")
    return replace(kind, evidence="; ".join(found), count=len(found))


def leftover_check(names: Iterable[str]) -> HealthCheck:
    """Temp files of writers that died."""
    advice = "A writer was stopped half-way; the real file is whole. Delete the temporary file."
    title = "Temporary files left behind"
    return finding(HealthCheck("leftover-temp-files", HealthLevel.WARNING, title, "", advice), names)


def case_check(groups: Iterable[tuple[str, ...]]) -> HealthCheck:
    """Names that a system without letter case takes for one (W13)."""
    advice = "The exact name is used and the other ignored, and some systems take them for one. Rename or delete one."
    title = "Names that differ in letter case only"
    evidence = [" and ".join(names) for names in groups]
    return finding(HealthCheck("case-variants", HealthLevel.WARNING, title, "", advice), evidence)


def _describe(reports: list[FileReport]) -> list[str]:
    return [(report.problem or f"{report.path.name} is {report.state.value}").rstrip(".") for report in reports]


def _only(reports: list[FileReport]) -> Artefact | None:
    return reports[0].artefact if len(reports) == 1 else None


def _empty_files(facts: HealthFacts) -> HealthCheck:
    """A file of no bytes is not an empty list: WilmerAI stops with an error on it (memory.md §3.7)."""
    skipped = {Artefact.VECTOR_MEMORY, Artefact.STATE_DOCUMENT, Artefact.STATE_DOCUMENT_BACKUP}
    found = [
        report
        for report in facts.files
        if report.artefact not in skipped and report.stat is not None and report.stat.size_bytes == 0
    ]
    return finding(
        HealthCheck(
            "file-without-bytes",
            HealthLevel.WARNING,
            "JSON files without any bytes",
            "",
            advice="WilmerAI cannot read such a file and does no memory work until it is deleted or holds [].",
            artefact=_only(found),
        ),
        [report.path.name for report in found],
    )


def _memories_absent(facts: HealthFacts) -> HealthCheck:
    """Absent is not empty: it switches the message-count threshold off (traps F6)."""
    state = facts.memories.report.state
    if state is FileState.ABSENT:
        return HealthCheck(
            "memories-file",
            HealthLevel.OK,
            "Memories file present, empty or absent",
            "There is no memories file, so only the token threshold counts until WilmerAI creates it.",
        )
    return HealthCheck(
        "memories-file",
        HealthLevel.OK,
        "Memories file present, empty or absent",
        f"The memories file is {state.value}; both thresholds count.",
    )


def _modes(reports: Iterable[FileReport]) -> HealthCheck:
    """Others may change it: a warning. Anything else that is not 0600: only a hint."""
    modes = {report.path.name: stat.S_IMODE(report.stat.mode) for report in reports if report.stat}
    open_to_all = [f"{name} has mode {mode:04o}" for name, mode in modes.items() if mode & stat.S_IWOTH]
    if open_to_all:
        return finding(
            HealthCheck(
                "file-mode",
                HealthLevel.WARNING,
                "Files that everybody may change",
                "",
                advice="Take the right away: chmod o-w.",
            ),
            open_to_all,
        )
    readable = sum(bool(mode & (stat.S_IRGRP | stat.S_IROTH)) for mode in modes.values())
    hint = f" {readable} can be read by other users; WilmerAI's own writes leave 0600." if readable else ""
    return HealthCheck(
        "file-mode", HealthLevel.OK, "Files that everybody may change", f"None of {len(modes)} files.{hint}"
    )


def _other_generations(facts: HealthFacts) -> HealthCheck:
    used = {report.artefact: report.path.name for report in facts.files}
    found = [
        f"{artefact.value}: {used.get(artefact, 'another file')} is used, {' and '.join(names)} is ignored"
        for artefact, names in facts.folder.ignored.items()
    ]
    return finding(
        HealthCheck(
            "several-generations",
            HealthLevel.WARNING,
            "The same file in several layouts",
            "",
            advice="Compare the two, then move the one that is not wanted out of the discussions folder.",
        ),
        found,
    )


def _links_out(facts: HealthFacts) -> HealthCheck:
    return finding(
        HealthCheck(
            "links-out",
            HealthLevel.ERROR,
            "Links that lead out of the folder",
            "",
            advice="The console does not follow them. Replace the link by a real file or folder.",
        ),
        facts.folder.links_out,
    )


def _unsafe_id(discussion_id: str) -> HealthCheck:
    """No new discussion would get this id; an existing one stays usable (W24)."""
    problem = find_creation_problem(discussion_id)
    advice = "It can be used here, but copying it to another system may fail."
    kind = HealthCheck("unsafe-id", HealthLevel.WARNING, "Id that not every system can keep", "", advice)
    return finding(kind, [problem] if problem else [])
