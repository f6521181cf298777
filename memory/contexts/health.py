"""What the checks found, in one discussion and in all of them."""

from __future__ import annotations

from dataclasses import dataclass

from memory.contexts.addresses import api_address, discussion_api_address, page_address, query_string, size_parameter
from memory.contexts.discussions import DiscussionStrip
from memory.contexts.labels import ARTEFACTS, HEALTH, Label, format_id
from memory.engine.wording import format_count
from memory.results import DiscussionHeader, HealthCheck, HealthLevel
from memory.services.repairs import may_repair
from memory.types import DiscussionRef
from wilmer_site.lib.paging import Page


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One check: what was looked at, what was found, what to do."""

    code: str
    level: Label
    title: str
    evidence: str
    advice: str
    count: int
    file_name: str
    file_url: str | None
    discussion_name: str
    discussion_url: str
    repair_url: str | None = None
    """Where the finding can be mended; None where nothing is safe to do by itself."""
    next_step: tuple[str, str] | None = None
    """What a person can do elsewhere in the console: words and address."""

    @classmethod
    def build(cls, ref: DiscussionRef, check: HealthCheck) -> CheckRow:
        """Words for one finding."""
        artefact = check.artefact
        return cls(
            code=check.code,
            level=HEALTH[check.level],
            title=check.title,
            evidence=check.evidence,
            advice=check.advice,
            count=check.count,
            file_name=ARTEFACTS[artefact] if artefact else "",
            file_url=page_address("file-detail", ref, artefact) if artefact else None,
            discussion_name=format_id(ref.discussion_id),
            discussion_url=page_address("health-list", ref),
            repair_url=page_address("repair-detail", ref, check.code) if may_repair(check) else None,
            next_step=_find_step(ref, check),
        )


@dataclass(frozen=True, slots=True)
class HealthListContext:
    """Every check of one discussion, the worst first."""

    discussion: DiscussionStrip
    problems: tuple[CheckRow, ...]
    fine: tuple[CheckRow, ...]
    errors: int
    warnings: int
    api_url: str

    @classmethod
    def build(cls, header: DiscussionHeader, checks: tuple[HealthCheck, ...]) -> HealthListContext:
        """The page of the checks."""
        ref = header.card.ref
        problems = [check for check in checks if check.level is not HealthLevel.OK]
        fine = [check for check in checks if check.level is HealthLevel.OK]
        return cls(
            discussion=DiscussionStrip.build(header, "health-list"),
            problems=tuple(
                CheckRow.build(ref, check) for check in sorted(problems, key=lambda check: _ORDER[check.level])
            ),
            fine=tuple(CheckRow.build(ref, check) for check in fine),
            errors=sum(check.level is HealthLevel.ERROR for check in checks),
            warnings=sum(check.level is HealthLevel.WARNING for check in checks),
            api_url=discussion_api_address(ref, "health"),
        )

    @property
    def errors_text(self) -> str:
        """How many errors, in words."""
        return format_count(self.errors, "error")

    @property
    def warnings_text(self) -> str:
        """How many warnings, in words."""
        return format_count(self.warnings, "warning")

    @property
    def fine_text(self) -> str:
        """How many checks found nothing, in words."""
        return "1 check is fine" if len(self.fine) == 1 else f"{len(self.fine):,} checks are fine"


@dataclass(frozen=True, slots=True)
class ProblemListContext:
    """Everything the checks found in all discussions."""

    rows: tuple[CheckRow, ...]
    pages: Page[tuple[DiscussionRef, HealthCheck]]
    base_query: str
    api_url: str

    @classmethod
    def build(cls, page: Page[tuple[DiscussionRef, HealthCheck]]) -> ProblemListContext:
        """One page of problems."""
        return cls(
            rows=tuple(CheckRow.build(ref, check) for ref, check in page.items),
            pages=page,
            base_query=query_string([size_parameter(page)]),
            api_url=api_address("health", parameters=_page(page.number)),
        )


_STEPS = {
    "embeddings-missing": ("Embed…", "regeneration-start", [("kind", "embed")]),
    "embeddings-odd": ("Embed anew…", "regeneration-start", [("kind", "embed")]),
    "metadata-unreadable": ("Vector memories", "vector-memory-list", []),
    "duplicate-hashes": ("X-ray", "coverage-detail", []),
    "entries-skipped": ("History", "history-list", []),
    "database-damaged": ("History", "history-list", []),
    "database-unreadable": ("History", "history-list", []),
    "unsafe-id": ("Rename…", "discussion-rename", []),
    "several-generations": ("Files", "file-list", []),
    "case-variants": ("Files", "file-list", []),
}
"""Check → words, page and its parameters, for findings that a person has to decide about."""


def _find_step(ref: DiscussionRef, check: HealthCheck) -> tuple[str, str] | None:
    if check.level is HealthLevel.OK or check.code not in _STEPS:
        return None
    text, name, parameters = _STEPS[check.code]
    return text, page_address(name, ref, parameters=parameters)


_ORDER = {HealthLevel.ERROR: 0, HealthLevel.WARNING: 1}


def _page(number: int) -> list[tuple[str, object]]:
    return [("page", number if number > 1 else "")]
