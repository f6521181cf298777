"""Copying, renaming and deleting a config: what it would come to, before it is done."""

from __future__ import annotations

from dataclasses import dataclass, replace

from workflows_app.contexts.addresses import page_address
from workflows_app.contexts.configs import KIND_WORDS, KindWords, config_address
from workflows_app.queries.config_plans import DeletePlan, RenamePlan
from workflows_app.queries.configs import ConfigEntry
from workflows_app.queries.references import Mention, Reference


@dataclass(frozen=True, slots=True)
class PlanLine:
    """One place in one file."""

    url: str
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class ConfigActionContext:
    """One page that asks before it does something to a file."""

    entry: ConfigEntry
    words: KindWords
    name: str
    """The new name as typed."""
    etag: str
    self_url: str
    back_url: str
    list_url: str
    kind_url: str
    obstacles: tuple[str, ...] = ()
    changes: tuple[PlanLine, ...] = ()
    """What would be written elsewhere, or would break."""
    idle: tuple[PlanLine, ...] = ()
    mentions: tuple[PlanLine, ...] = ()
    to: str = ""
    warnings: tuple[str, ...] = ()
    """What a new name breaks outside of the configs."""
    needs_consent: bool = False
    falls_back_to: str = ""
    """What is found in the place of a file that is deleted."""

    @classmethod
    def build(cls, action: str, entry: ConfigEntry, *, name: str = "", etag: str = "") -> ConfigActionContext:
        """A page without a plan yet."""
        return cls(
            entry=entry,
            words=KIND_WORDS[entry.kind],
            name=name,
            etag=etag,
            self_url=page_address(action, entry.path),
            back_url=config_address(entry.path),
            list_url=page_address("config-list"),
            kind_url=page_address("config-kind-list", entry.kind.value),
        )

    def with_rename(self, plan: RenamePlan | None, obstacles: tuple[str, ...]) -> ConfigActionContext:
        """The page with what a rename writes, or why it cannot be done."""
        if plan is None:
            return replace(self, obstacles=obstacles)
        changes = tuple(
            PlanLine(config_address(edit.path), edit.path, f"{_place(pointer)} becomes {value!r}")
            for edit in plan.edits
            for pointer, value in edit.values
        )
        return replace(
            self,
            obstacles=obstacles,
            changes=changes,
            mentions=_mentions(plan.mentions),
            to=plan.to,
            warnings=plan.warnings,
        )

    def with_removal(self, plan: DeletePlan) -> ConfigActionContext:
        """The page with what a deletion breaks."""
        return replace(
            self,
            changes=tuple(_line(reference) for reference in plan.breaks),
            idle=tuple(_line(reference) for reference in plan.idle),
            obstacles=plan.reasons,
            mentions=_mentions(plan.mentions),
            needs_consent=not plan.is_harmless,
            falls_back_to=plan.falls_back_to,
        )


def _line(reference: Reference) -> PlanLine:
    return PlanLine(config_address(reference.source), reference.source, reference.place)


def _mentions(mentions: tuple[Mention, ...]) -> tuple[PlanLine, ...]:
    return tuple(PlanLine(config_address(m.source), m.source, m.place) for m in mentions[:40])


def _place(pointer: tuple[str | int, ...]) -> str:
    return " › ".join(str(part + 1) if isinstance(part, int) else part for part in pointer)
