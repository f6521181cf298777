"""The versions of a config file, and what changed in one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workflows_app.contexts.addresses import api_address, page_address
from workflows_app.contexts.editor_diff import DiffView
from workflows_app.results import ConfigVersionCard
from workflows_app.services.version_looks import VersionComparison


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One version in the list."""

    card: ConfigVersionCard
    url: str


@dataclass(frozen=True, slots=True)
class VersionListContext:
    """All versions of a file, the newest first."""

    path: str
    name: str
    rows: tuple[VersionRow, ...]
    edit_url: str
    list_url: str
    api_url: str

    @property
    def is_workflow(self) -> bool:
        """Whether the file lies among the workflows."""
        return self.path.startswith("Workflows/")

    @classmethod
    def build(cls, path: str, cards: Sequence[ConfigVersionCard]) -> VersionListContext:
        """The page of one file."""
        return cls(
            path=path,
            name=name_of(path),
            rows=tuple(VersionRow(card, page_address("config-version", card.number, path)) for card in cards),
            edit_url=page_address("config-edit", path),
            list_url=page_address("workflow-list" if path.startswith("Workflows/") else "config-list"),
            api_url=api_address("config-versions", path),
        )


@dataclass(frozen=True, slots=True)
class VersionDetailContext:
    """One version against another one."""

    card: ConfigVersionCard
    name: str
    text: str
    etag: str
    """Of the file on disk; what a restore expects."""
    against: int
    others: tuple[tuple[int, str], ...]
    diff: DiffView
    can_restore: bool
    is_read_only: bool
    is_same: bool
    """Whether a later version, which is on disk now, has the same bytes."""
    clash: str
    edit_url: str
    versions_url: str
    restore_url: str
    name_url: str
    api_url: str

    @classmethod
    def build(cls, found: VersionComparison) -> VersionDetailContext:
        """The page of one version."""
        card = found.card
        return cls(
            card=card,
            name=name_of(card.path),
            text=found.after,
            etag=found.etag,
            against=found.against,
            others=tuple((other.number, _label(other)) for other in found.others),
            diff=DiffView.build(found.diff, found.before, found.after),
            can_restore=not (card.digest == found.etag or card.is_deletion or found.is_read_only),
            is_read_only=found.is_read_only,
            is_same=card.digest == found.etag and not card.is_current and not card.is_deletion,
            clash=found.clash,
            edit_url=page_address("config-edit", card.path),
            versions_url=page_address("config-versions", card.path),
            restore_url=page_address("config-restore", card.number, card.path),
            name_url=page_address("config-version-name", card.number, card.path),
            api_url=api_address("config-versions", card.path, parameters=[("number", card.number)]),
        )


def name_of(path: str) -> str:
    """What a file is called on pages."""
    return path.rpartition("/")[2].removesuffix(".json")


def _label(card: ConfigVersionCard) -> str:
    words = [f"version {card.number}", card.name or card.note[:60], "on disk now" if card.is_current else ""]
    return ", ".join(word for word in words if word)
