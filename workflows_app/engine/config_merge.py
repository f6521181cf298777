"""Two people's changes of one config brought together, node by node and key by key. Pure.

Our text is kept as it is written; what the others changed is set in it where we changed nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from workflows_app.engine import json_text, workflow_edits
from workflows_app.engine.config_diff import (
    MISSING,
    ChangeKind,
    ConfigDiff,
    FieldChange,
    NodeChange,
    diff_documents,
    is_same,
    label_of,
    split_document,
)
from workflows_app.engine.json_places import Path, find_place, parse, read_value


@dataclass(frozen=True, slots=True)
class MergeConflict:
    """Something that both changed; ours is kept."""

    where: str
    base: Any
    ours: Any
    theirs: Any


@dataclass(slots=True)
class Merge:
    """What a merge came to."""

    text: str
    conflicts: list[MergeConflict] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)
    """Changes of theirs that are in the text now, in words."""


def merge_texts(base: str, ours: str, theirs: str) -> Merge:
    """Our text with their changes. Raises ConfigInvalidError when one of the three is no JSON."""
    documents = [read_value(text, parse(text).root) for text in (base, ours, theirs)]
    work = _Work(Merge(ours), *documents)
    work.run()
    return work.merge


class _Work:
    """One merge on its way."""

    def __init__(self, merge: Merge, base: Any, ours: Any, theirs: Any) -> None:
        self.merge = merge
        self.base, self.ours, self.theirs = split_document(base), split_document(ours), split_document(theirs)
        self.mine: ConfigDiff = diff_documents(base, ours)
        self.other: ConfigDiff = diff_documents(base, theirs)
        self.places: dict[int, int] = dict(self.mine.pairs)
        """Base position → position in the merged text, kept up to date while nodes come and go."""

    def run(self) -> None:
        for key in self.other.fields:
            self._take_field((key.name,), key, self._my_field(key.name), key.name)
        for change in self._of(ChangeKind.CHANGED, ChangeKind.MOVED):
            self._take_node(change)
        for change in sorted(self._of(ChangeKind.REMOVED), key=lambda change: -(change.before or 0)):
            self._take_removal(change)
        for change in self._of(ChangeKind.ADDED):
            self._take_addition(change)

    def _of(self, *kinds: ChangeKind) -> Iterator[NodeChange]:
        return (change for change in self.other.nodes if change.kind in kinds)

    def _my_field(self, name: str) -> Any:
        return self.ours[1].get(name, MISSING)

    def _take_field(self, path: Path, change: FieldChange, mine: Any, where: str) -> None:
        """Set their value unless we changed the same one to something else."""
        if is_same(mine, change.after):
            return
        if not is_same(mine, change.before):
            self.merge.conflicts.append(MergeConflict(where, change.before, mine, change.after))
            return
        if change.after is not MISSING:
            self.merge.text = json_text.set_value(self.merge.text, path, change.after)
        elif find_place(self.merge.text, path) is not None:
            self.merge.text = json_text.remove(self.merge.text, path)
        self.merge.taken.append(where)

    def _take_node(self, change: NodeChange) -> None:
        if change.kind is ChangeKind.MOVED:
            self.merge.conflicts.append(
                MergeConflict(f"Order of {change.label}", change.before, "as in yours", change.after)
            )
        at = self.places.get(change.before or 0)
        mine = self._my_node(change.before or 0)
        for field_change in change.fields:
            where = f"{change.label}: {field_change.name}"
            if at is None or not isinstance(mine, dict):
                self.merge.conflicts.append(MergeConflict(where, field_change.before, MISSING, field_change.after))
                continue
            path = (*self._nodes_path(), at, field_change.name)
            self._take_field(path, field_change, mine.get(field_change.name, MISSING), where)

    def _take_removal(self, change: NodeChange) -> None:
        base_at = change.before or 0
        at = self.places.get(base_at)
        if at is None:
            return
        if not is_same(self._my_node(base_at), self.base[0][base_at]):
            self.merge.conflicts.append(
                MergeConflict(change.label, self.base[0][base_at], self._my_node(base_at), MISSING)
            )
            return
        self.merge.text = workflow_edits.remove_node(self.merge.text, at)
        del self.places[base_at]
        self._shift(at, -1)
        self.merge.taken.append(f"{change.label} removed")

    def _take_addition(self, change: NodeChange) -> None:
        node = self.theirs[0][change.after or 0]
        if any(is_same(node, mine) for mine in self._my_additions()):
            return
        at = self._place_behind(change.after or 0)
        self.merge.text = workflow_edits.add_node(self.merge.text, at, node)
        self._shift(at - 1, 1)
        self.merge.taken.append(f"{label_of(node)} added")

    def _place_behind(self, theirs_at: int) -> int:
        """Behind the nearest node before it that we have too."""
        base_of = {new: old for old, new in self.other.pairs.items()}
        for at in range(theirs_at - 1, -1, -1):
            place = self.places.get(base_of.get(at, -1))
            if place is not None:
                return place + 1 + self._added_behind(at, theirs_at)
        return self._added_behind(-1, theirs_at)

    def _added_behind(self, start: int, end: int) -> int:
        """How many nodes of theirs between two positions were added before this one."""
        known = set(self.other.pairs.values())
        return sum(at not in known for at in range(start + 1, end))

    def _my_node(self, base_at: int) -> Any:
        mine = self.mine.pairs.get(base_at)
        return MISSING if mine is None else self.ours[0][mine]

    def _my_additions(self) -> list[Any]:
        known = set(self.mine.pairs.values())
        return [node for at, node in enumerate(self.ours[0]) if at not in known]

    def _nodes_path(self) -> Path:
        return workflow_edits.path_of_nodes(self.merge.text)

    def _shift(self, behind: int, by: int) -> None:
        self.places = {base: at + by if at > behind else at for base, at in self.places.items()}
