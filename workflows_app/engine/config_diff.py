"""What changed between two contents of a config: node by node for workflows, key by key for everything else. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Any, Final


class Missing:
    """The one value that says: this key is not there."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing()


class ChangeKind(StrEnum):
    """What happened to a node."""

    ADDED = "added"
    REMOVED = "removed"
    MOVED = "moved"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A key whose value differs; MISSING where it is not there."""

    name: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class NodeChange:
    """What happened to one node. Positions are from 0; None where the node is not there."""

    kind: ChangeKind
    label: str
    before: int | None
    after: int | None
    fields: tuple[FieldChange, ...] = ()


@dataclass(frozen=True, slots=True)
class ConfigDiff:
    """Everything that differs."""

    nodes: tuple[NodeChange, ...]
    fields: tuple[FieldChange, ...]
    """Keys of the document, or variables of a workflow."""
    pairs: Mapping[int, int]
    """Position of a node before → after, for nodes that are in both."""

    @property
    def is_empty(self) -> bool:
        """Whether both mean the same."""
        return not self.nodes and not self.fields


def diff_documents(before: Any, after: Any) -> ConfigDiff:
    """The differences of two documents."""
    old, new = split_document(before), split_document(after)
    pairs = match_nodes(old[0], new[0])
    return ConfigDiff(
        nodes=tuple(_node_changes(old[0], new[0], pairs)),
        fields=tuple(diff_keys(old[1], new[1])),
        pairs=pairs,
    )


def split_document(document: Any) -> tuple[list[Any], Mapping[str, Any]]:
    """The nodes and the other keys of a document."""
    if isinstance(document, list):
        return document, {}
    if not isinstance(document, dict):
        return [], {}
    nodes = document.get("nodes")
    if not isinstance(nodes, list):
        return [], document
    return nodes, {key: value for key, value in document.items() if key != "nodes"}


def diff_keys(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[FieldChange]:
    """The keys whose values differ, those of `before` first."""
    for key in dict.fromkeys([*before, *after]):
        old, new = before.get(key, MISSING), after.get(key, MISSING)
        if not is_same(old, new):
            yield FieldChange(key, old, new)


def is_same(first: Any, second: Any) -> bool:
    """Whether two JSON values are written alike: `1`, `1.0` and `true` differ."""
    if first is MISSING or second is MISSING:
        return first is second
    return _key(first) == _key(second)


def match_nodes(before: Sequence[Any], after: Sequence[Any]) -> dict[int, int]:
    """Which node is which: equal ones in order, then equal ones elsewhere, then by title and type, then likely ones.

    Likely are two of one type that have a value in common, or stand at the same place of lists of one length. Others
    are strangers: a merge must not give one node another's headers.
    """
    old, new = [_key(node) for node in before], [_key(node) for node in after]
    pairs: dict[int, int] = {}
    for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
        pairs |= {block.a + step: block.b + step for step in range(block.size)}
    _pair_up(pairs, old, new)
    _pair_up(pairs, [_name(node) for node in before], [_name(node) for node in after])
    _pair_likely(pairs, before, after)
    return pairs


def label_of(node: Any) -> str:
    """What a node is called in a list of changes."""
    if not isinstance(node, dict):
        return "no object"
    title = str(node.get("title") or node.get("agentName") or "")
    kind = str(node.get("type", "Standard"))
    return f"{kind} “{title[:80]}”" if title else kind


def _pair_up(pairs: dict[int, int], old: Sequence[str], new: Sequence[str]) -> None:
    """Pair what is left and has the same mark, in order. Empty marks match nothing."""
    taken = set(pairs.values())
    free: dict[str, list[int]] = {}
    for at, mark in enumerate(new):
        if at not in taken and mark:
            free.setdefault(mark, []).append(at)
    for at, mark in enumerate(old):
        if at not in pairs and free.get(mark):
            pairs[at] = free[mark].pop(0)


def _pair_likely(pairs: dict[int, int], before: Sequence[Any], after: Sequence[Any]) -> None:
    """Pair what is left and of one type, in order, strangers left out."""
    taken = set(pairs.values())
    holders: dict[str, list[int]] = {}
    for new in range(len(after) - 1, -1, -1):
        for mark in _marks(after[new]) if new not in taken else ():
            holders.setdefault(mark, []).append(new)
    for old in range(len(before)):
        if old in pairs:
            continue
        likely = [found for mark in _marks(before[old]) if (found := _next_free(holders.get(mark), taken)) is not None]
        if _is_replaced_in_place(old, before, after) and old not in taken:
            likely.append(old)
        if likely:
            pairs[old] = min(likely)
            taken.add(pairs[old])


def _marks(node: Any) -> set[str]:
    """Everything a node says, together with its type."""
    if not isinstance(node, dict):
        return set()
    return {f"{_type(node)}\0{key}\0{_key(value)}" for key, value in node.items() if key != "type"}


def _next_free(holders: list[int] | None, taken: set[int]) -> int | None:
    """The first place that is still free; places are listed last first."""
    while holders and holders[-1] in taken:
        holders.pop()
    return holders[-1] if holders else None


def _is_replaced_in_place(at: int, before: Sequence[Any], after: Sequence[Any]) -> bool:
    return len(before) == len(after) and _type(before[at]) != "" and _type(before[at]) == _type(after[at])


def _node_changes(before: Sequence[Any], after: Sequence[Any], pairs: Mapping[int, int]) -> Iterator[NodeChange]:
    came_from = {new: old for old, new in pairs.items()}
    moved = _moved(pairs)
    for at, node in enumerate(before):
        if at not in pairs:
            yield NodeChange(ChangeKind.REMOVED, label_of(node), at, None)
    for at, node in enumerate(after):
        old = came_from.get(at)
        if old is None:
            yield NodeChange(ChangeKind.ADDED, label_of(node), None, at)
            continue
        fields = tuple(_fields(before[old], node))
        if old in moved:
            yield NodeChange(ChangeKind.MOVED, label_of(node), old, at, fields)
        elif fields:
            yield NodeChange(ChangeKind.CHANGED, label_of(node), old, at, fields)


def _fields(before: Any, after: Any) -> Iterator[FieldChange]:
    if isinstance(before, dict) and isinstance(after, dict):
        yield from diff_keys(before, after)
    elif not is_same(before, after):
        yield FieldChange("", before, after)


def _moved(pairs: Mapping[int, int]) -> set[int]:
    """The fewest nodes that must have moved: those outside the longest run that kept its order."""
    order = [pairs[old] for old in sorted(pairs)]
    kept = set(_longest_rise(order))
    return {old for old in pairs if pairs[old] not in kept}


def _longest_rise(values: Sequence[int]) -> list[int]:
    """A longest increasing subsequence."""
    tails: list[int] = []
    before: dict[int, int | None] = {}
    for value in values:
        low, high = 0, len(tails)
        while low < high:
            middle = (low + high) // 2
            if tails[middle] < value:
                low = middle + 1
            else:
                high = middle
        before[value] = tails[low - 1] if low else None
        tails[low : low + 1] = [value]
    found: list[int] = []
    at: int | None = tails[-1] if tails else None
    while at is not None:
        found.append(at)
        at = before[at]
    return found


def _key(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _name(node: Any) -> str:
    if not isinstance(node, dict) or not (node.get("title") or node.get("agentName")):
        return ""
    return f"{node.get('title') or node.get('agentName')}\0{_type(node)}"


def _type(node: Any) -> str:
    return str(node.get("type", "Standard")) if isinstance(node, dict) else ""
