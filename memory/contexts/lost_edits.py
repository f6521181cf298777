"""Edits that were written over, and the way to make them again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.contexts.addresses import page_address
from memory.contexts.discussions import DiscussionStrip
from memory.engine.lost_edits import LostEdit
from memory.results import DiscussionHeader


@dataclass(frozen=True, slots=True)
class LostEditRow:
    """One text that went."""

    revision_id: int
    hash: str
    actor: str
    at: datetime
    text: str
    number: int | None
    again_url: str | None
    """Opens the chunk's box with the text in it; None when the chunk is gone."""


@dataclass(frozen=True, slots=True)
class LostEditListContext:
    """All of them, newest first."""

    discussion: DiscussionStrip
    rows: tuple[LostEditRow, ...]

    @classmethod
    def build(cls, header: DiscussionHeader, edits: Sequence[LostEdit]) -> LostEditListContext:
        """The notice above the chunks, or a page of its own."""
        return cls(DiscussionStrip.build(header, "chunk-list"), tuple(_row(header, edit) for edit in edits))


def _row(header: DiscussionHeader, edit: LostEdit) -> LostEditRow:
    again_url = _again(header, edit)
    return LostEditRow(edit.revision_id, edit.hash, edit.actor, edit.at, edit.text, edit.number, again_url)


def _again(header: DiscussionHeader, edit: LostEdit) -> str | None:
    if edit.number is None:
        return None
    return page_address("chunk-edit", header.card.ref, edit.number, parameters=[("again", edit.revision_id)])
