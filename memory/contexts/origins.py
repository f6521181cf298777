"""Where each line or entry of a file came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memory.contexts.addresses import discussion_api_address, page_address
from memory.contexts.discussions import DiscussionStrip
from memory.contexts.history import BLAMED, RevisionRow
from memory.contexts.labels import ARTEFACTS
from memory.engine.history import Blame
from memory.results import DiscussionHeader
from memory.types import Artefact, DiscussionRef


@dataclass(frozen=True, slots=True)
class BlameGroup:
    """Neighbouring lines that came from the same write."""

    row: RevisionRow | None
    lines: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class BlameDetailContext:
    """Where each line or entry of a file came from."""

    discussion: DiscussionStrip
    file_name: str
    blame: Blame
    groups: tuple[BlameGroup, ...]
    chips: tuple[tuple[str, str, int | None, bool], ...]
    api_url: str

    @classmethod
    def build(cls, header: DiscussionHeader, blame: Blame, files: Mapping[Artefact, int]) -> BlameDetailContext:
        """The page of the origins."""
        ref = header.card.ref
        return cls(
            discussion=DiscussionStrip.build(header, "history-list"),
            file_name=ARTEFACTS[blame.artefact],
            blame=blame,
            groups=tuple(_group(ref, blame)),
            chips=tuple(
                (ARTEFACTS[name], page_address("blame-detail", ref, name), None, name is blame.artefact)
                for name in BLAMED
                if name in files or name is blame.artefact
            ),
            api_url=discussion_api_address(ref, "origins", blame.artefact),
        )


def _group(ref: DiscussionRef, blame: Blame) -> list[BlameGroup]:
    groups: list[BlameGroup] = []
    last: object = object()
    for line in blame.lines:
        owner = line.revision.id if line.revision else None
        if owner != last or blame.is_entries:
            row = RevisionRow.build(ref, line.revision) if line.revision else None
            groups.append(BlameGroup(row, ()))
            last = owner
        groups[-1] = BlameGroup(groups[-1].row, (*groups[-1].lines, (line.number, line.text)))
    return groups
