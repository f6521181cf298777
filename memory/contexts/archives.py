"""Archives to make, and archives that were brought in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.contexts.addresses import api_address, page_address
from memory.contexts.labels import format_id
from memory.engine.wording import format_count
from memory.forms_archives import ArchiveForm, ImportForm
from memory.services.archive_imports import ImportItem, ImportPlan
from memory.services.archives import ArchiveOrder

MOST_SHOWN = 50
"""So many discussions are named."""


@dataclass(frozen=True, slots=True)
class ArchiveExportContext:
    """What goes into an archive."""

    names: tuple[str, ...]
    """The first of them."""
    total: int
    hidden: tuple[tuple[str, str], ...]
    """Names and values that choose them."""
    back_url: str
    api_url: str

    @classmethod
    def build(cls, order: ArchiveOrder, hidden: tuple[tuple[str, str], ...]) -> ArchiveExportContext:
        """The page that asks what goes along."""
        is_one = len(order.refs) == 1
        return cls(
            names=tuple(format_id(ref.discussion_id) for ref in order.refs[:MOST_SHOWN]),
            total=len(order.refs),
            hidden=hidden,
            back_url=page_address("discussion-detail", order.refs[0]) if is_one else page_address("discussion-list"),
            api_url=api_address("archive", parameters=[("ref", ref.text) for ref in order.refs[:MOST_SHOWN]]),
        )

    @property
    def what(self) -> str:
        """How many, in words."""
        return format_count(self.total, "discussion")

    @property
    def more(self) -> int:
        """How many are not named."""
        return self.total - len(self.names)


@dataclass(frozen=True, slots=True)
class ArchiveImportContext:
    """Where an archive is brought in."""

    form: ArchiveForm
    api_url: str

    @classmethod
    def build(cls, form: ArchiveForm) -> ArchiveImportContext:
        """The page with the form."""
        return cls(form, api_address("archives"))


@dataclass(frozen=True, slots=True)
class ImportRow:
    """One discussion of an archive, and what was chosen for it."""

    item: ImportItem
    form: ImportForm
    title: str
    parts: str

    @classmethod
    def build(cls, form: ImportForm) -> ImportRow:
        """Words for one discussion."""
        item = form.item
        parts = [format_count(item.files, "file")]
        parts += ["transcript"] if item.messages else []
        parts += [format_count(item.revisions, "revision")] if item.revisions else []
        return cls(item, form, format_id(item.ref.discussion_id), ", ".join(parts))


@dataclass(frozen=True, slots=True)
class ArchiveReviewContext:
    """What is in an archive that was brought in."""

    name: str
    rows: tuple[ImportRow, ...]
    made_at: str
    problem: str
    form_url: str
    api_url: str

    @classmethod
    def build(
        cls, upload: tuple[str, str], plan: ImportPlan | None, problem: str, forms: Sequence[ImportForm]
    ) -> ArchiveReviewContext:
        """The page that asks; `upload` is the id of the archive and its name."""
        return cls(
            name=upload[1],
            rows=tuple(ImportRow.build(form) for form in forms),
            made_at=plan.made_at if plan else "",
            problem=problem,
            form_url=page_address("archive-review", upload[0]),
            api_url=api_address("archives", upload[0]),
        )
