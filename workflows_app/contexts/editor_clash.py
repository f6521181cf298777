"""Two people's texts side by side, and what can be done."""

from __future__ import annotations

from dataclasses import dataclass

from workflows_app.contexts.addresses import page_address
from workflows_app.contexts.editor_diff import ChangeRow, DiffView, FieldLine, build_change, build_field, show
from workflows_app.engine.config_diff import ConfigDiff
from workflows_app.services.editor_clash import Clash


@dataclass(frozen=True, slots=True)
class ConflictRow:
    """Something that both changed."""

    where: str
    base: str
    ours: str
    theirs: str


@dataclass(frozen=True, slots=True)
class SideChanges:
    """What one side changed since the common text."""

    rows: tuple[ChangeRow, ...]
    fields: tuple[FieldLine, ...]

    @classmethod
    def build(cls, diff: ConfigDiff | None) -> SideChanges:
        """Nothing where it is not known."""
        if diff is None:
            return cls((), ())
        return cls(tuple(map(build_change, diff.nodes)), tuple(map(build_field, diff.fields)))


@dataclass(frozen=True, slots=True)
class ClashContext:
    """The page that asks what is to become of a clash."""

    clash: Clash
    name: str
    diff: DiffView
    """From their text to yours."""
    ours: SideChanges
    theirs: SideChanges
    conflicts: tuple[ConflictRow, ...]
    edit_url: str
    save_url: str

    @classmethod
    def build(cls, clash: Clash) -> ClashContext:
        """Everything for one clash."""
        found = clash.merge.conflicts if clash.merge else []
        return cls(
            clash=clash,
            name=clash.path.rpartition("/")[2].removesuffix(".json"),
            diff=DiffView.build(None, clash.theirs, clash.ours),
            ours=SideChanges.build(clash.our_changes),
            theirs=SideChanges.build(clash.their_changes),
            conflicts=tuple(ConflictRow(one.where, show(one.base), show(one.ours), show(one.theirs)) for one in found),
            edit_url=page_address("config-edit", clash.path),
            save_url=page_address("config-save", clash.path),
        )
