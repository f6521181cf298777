"""Conversations kept as a tree of answers: the line from the first message to the one that is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def list_active_line(parents: Mapping[str, str | None], current: str | None) -> list[str]:
    """The ids from the root to `current`, which must be a key; a parent that is not there ends the line, so does a
    circle. Without a usable `current` the line of the last key that is nobody's parent.
    """
    line: list[str] = []
    seen: set[str] = set()
    at = current if current in parents else _find_last_leaf(parents)
    while at is not None and at in parents and at not in seen:
        seen.add(at)
        line.append(at)
        at = parents[at]
    return line[::-1]


def choose_newest(leaves: Sequence[str], times: Mapping[str, float]) -> str | None:
    """The leaf with the newest time; the last one of equals."""
    return max(reversed(leaves), key=lambda leaf: times.get(leaf, 0.0)) if leaves else None


def list_leaves(parents: Mapping[str, str | None]) -> list[str]:
    """The ids that are nobody's parent, in order."""
    inner = set(parents.values())
    return [node for node in parents if node not in inner]


def _find_last_leaf(parents: Mapping[str, str | None]) -> str | None:
    leaves = list_leaves(parents) or list(parents)
    return leaves[-1] if leaves else None
