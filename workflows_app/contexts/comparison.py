"""Two runs side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple

from workflows_app.contexts.addresses import page_address
from workflows_app.contexts.labels import NODE_STATES, Label, format_duration, format_tokens
from workflows_app.contexts.runs import RunRow
from workflows_app.run_results import NodeDetail, NodePair, RunCard

MAX_LINES = 400
"""Lines of an output that are compared; comparing takes time that grows with their square."""


class DiffLine(NamedTuple):
    """A line of the left and of the right output that stand beside each other."""

    left: str
    right: str
    kind: str
    """`same`, `changed`, `left-only` or `right-only`."""


class Side(NamedTuple):
    """A node in one of the runs."""

    url: str
    state: Label
    duration: str
    tokens: str


@dataclass(frozen=True, slots=True)
class PairRow:
    """The same node in both runs."""

    path: str
    title: str
    type: str
    depth_class: str
    left: Side | None
    right: Side | None
    verdict: Label
    lines: tuple[DiffLine, ...]
    is_cut: bool


@dataclass(frozen=True, slots=True)
class RunCompareContext:
    """Both runs and all their nodes."""

    left: RunRow
    right: RunRow
    rows: tuple[PairRow, ...]
    different: int
    list_url: str

    @classmethod
    def build(cls, left: RunCard, right: RunCard, pairs: Sequence[NodePair]) -> RunCompareContext:
        """The page of one comparison."""
        rows = tuple(_pair(left.id, right.id, pair) for pair in pairs)
        return cls(
            left=RunRow.build(left),
            right=RunRow.build(right),
            rows=rows,
            different=sum(row.verdict.text != "same output" for row in rows),
            list_url=page_address("run-list"),
        )


def compare_lines(left: str, right: str) -> Iterator[DiffLine]:
    """The lines of two texts, equal ones beside each other."""
    old, new = left.splitlines()[:MAX_LINES], right.splitlines()[:MAX_LINES]
    for kind, start, end, other_start, other_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for step in range(max(end - start, other_end - other_start)):
            mine = old[start + step] if start + step < end else ""
            theirs = new[other_start + step] if other_start + step < other_end else ""
            yield DiffLine(mine, theirs, _kind(kind, start + step < end, other_start + step < other_end))


def _kind(opcode: str, has_left: bool, has_right: bool) -> str:
    if opcode == "equal":
        return "same"
    if has_left and has_right:
        return "changed"
    return "left-only" if has_left else "right-only"


def _pair(left_id: int, right_id: int, pair: NodePair) -> PairRow:
    shown = pair.left or pair.right
    if shown is None:  # pragma: no cover - a pair has at least one side
        raise ValueError("A pair needs a node.")
    left, right = _text(pair.left), _text(pair.right)
    is_different = left != right
    return PairRow(
        path=".".join(str(part) for part in shown.row.path),
        title=shown.row.title or shown.row.type,
        type=shown.row.type,
        depth_class=f"depth-{min(shown.row.depth, 6)}",
        left=_side(left_id, pair.left),
        right=_side(right_id, pair.right),
        verdict=_verdict(pair, is_different=is_different),
        lines=tuple(compare_lines(left, right)) if is_different else (),
        is_cut=is_different and max(left.count("\n"), right.count("\n")) >= MAX_LINES,
    )


def _side(run_id: int, node: NodeDetail | None) -> Side | None:
    if node is None:
        return None
    row = node.row
    return Side(
        url=page_address("node-run-detail", run_id, row.number, parameters=[("tab", "output")]),
        state=NODE_STATES[row.state],
        duration=format_duration(row.milliseconds),
        tokens=format_tokens(row.prompt_tokens, row.completion_tokens, is_measured=row.is_measured),
    )


def _verdict(pair: NodePair, *, is_different: bool) -> Label:
    if pair.left is None:
        return Label("only on the right", "info")
    if pair.right is None:
        return Label("only on the left", "info")
    return Label("different output", "stale", "git-branch") if is_different else Label("same output", "ok", "check")


def _text(node: NodeDetail | None) -> str:
    return node.output_text if node else ""
