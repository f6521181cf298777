"""The list of runs, the form that starts one, and one run with its tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from wilmer_site.lib.paging import Page
from workflows_app.contexts.addresses import api_address, find_discussion_address, page_address, query_string
from workflows_app.contexts.labels import NODE_STATES, RUN_STATES, Label, format_duration, format_tokens, name_tool
from workflows_app.results import NodeState, RunState
from workflows_app.run_results import NodeRow, RunCard, RunDetail, RunFilter

MAX_ROWS = 1_000
"""Nodes shown in a tree; the API gives all of them."""
_DEEPEST = 6
_WIDTH = 1000


class Chip(NamedTuple):
    """A filter that is switched on and off by following its link."""

    label: str
    url: str
    total: int | None
    is_on: bool


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run in the list."""

    card: RunCard
    url: str
    state: Label
    duration: str
    discussion_url: str
    origin: str
    """How it came about when it is no run from the start."""

    @classmethod
    def build(cls, card: RunCard) -> RunRow:
        """Words and addresses."""
        return cls(
            card=card,
            url=page_address("run-detail", card.id),
            state=RUN_STATES[card.state],
            duration=format_duration(card.milliseconds),
            discussion_url=find_discussion_address(card.discussion),
            origin=_tell_origin(card),
        )


@dataclass(frozen=True, slots=True)
class RunListContext:
    """One page of runs."""

    rows: tuple[RunRow, ...]
    pages: Page[RunCard]
    base_query: str
    filter: RunFilter
    chips: tuple[Chip, ...]
    list_url: str
    workflows_url: str
    compare_url: str
    api_url: str

    @classmethod
    def build(cls, wanted: RunFilter, page: Page[RunCard], counts: Mapping[str, int]) -> RunListContext:
        """The page for one filter."""
        return cls(
            rows=tuple(RunRow.build(card) for card in page.items),
            pages=page,
            base_query=query_string([*_parameters(wanted), ("size", "" if page.size == 25 else page.size)]),
            filter=wanted,
            chips=tuple(_chip(wanted, state, counts.get(state, 0)) for state in RunState),
            list_url=page_address("run-list"),
            workflows_url=page_address("workflow-list"),
            compare_url=page_address("run-compare"),
            api_url=api_address("runs", parameters=_parameters(wanted)),
        )

    @property
    def first_url(self) -> str:
        """The first page of the same list."""
        return page_address("run-list", parameters=_parameters(self.filter))

    @property
    def is_filtered(self) -> bool:
        """Whether fewer than all runs are wanted."""
        return bool(self.filter.text or self.filter.state or self.filter.discussion)


@dataclass(frozen=True, slots=True)
class RunStartContext:
    """The form that starts a run."""

    form: Any
    discussions: tuple[str, ...]
    """Those whose messages the console has."""
    known: tuple[str, ...]
    """The same and the others, to choose from."""
    workflow_url: str
    list_url: str
    is_read_only: bool


@dataclass(frozen=True, slots=True)
class TreeRow:
    """One node in the tree, with its bar in the waterfall."""

    node: NodeRow
    url: str
    depth_class: str
    state: Label
    duration: str
    own: str
    tokens: str
    bar_x: int
    bar_width: int
    is_selected: bool
    elapsed: int | None
    """Milliseconds that a running node has taken until now."""

    @property
    def name(self) -> str:
        """The title, or the type of a node without one."""
        return self.node.title or self.node.type


@dataclass(frozen=True, slots=True)
class RunStrip:
    """What stands above the tree of a run, and the tree."""

    card: RunCard
    state: Label
    duration: str
    rows: tuple[TreeRow, ...]
    hidden_rows: int
    total_milliseconds: float
    is_over: bool
    is_cancel_requested: bool
    origin: str
    last_event: int
    discussion_url: str
    urls: Mapping[str, str]

    @classmethod
    def build(cls, run: RunDetail, selected: int | None = None) -> RunStrip:
        """`selected` is the number of the node that is open."""
        now = 0.0 if run.card.state.is_over else run.elapsed_milliseconds
        total = max([1.0, now, *(node.offset_milliseconds + (node.milliseconds or 0) for node in run.nodes)])
        rows = tuple(_tree_row(run.card.id, node, (total, now), selected) for node in run.nodes[:MAX_ROWS])
        return cls(
            card=run.card,
            state=RUN_STATES[run.card.state],
            duration=format_duration(run.card.milliseconds),
            rows=rows,
            hidden_rows=max(0, len(run.nodes) - MAX_ROWS),
            total_milliseconds=total,
            is_over=run.card.state.is_over,
            is_cancel_requested=run.is_cancel_requested,
            origin=_tell_origin(run.card),
            last_event=run.last_event,
            discussion_url=find_discussion_address(run.card.discussion),
            urls=_addresses(run.card),
        )

    @property
    def failed_url(self) -> str:
        """The node that the run stopped at, the innermost one; empty for none."""
        failed = [row for row in self.rows if row.node.state is NodeState.FAILED]
        return max(failed, key=lambda row: (row.node.depth, row.node.number)).url if failed else ""

    @property
    def total_text(self) -> str:
        """Time from start to the end of the last node."""
        return format_duration(self.total_milliseconds)


@dataclass(frozen=True, slots=True)
class RunDetailContext:
    """One run: its strip, its answer, what it was given."""

    run: RunStrip
    answer: str
    messages: tuple[tuple[str, str], ...]
    """Role and text."""
    message_count: int
    tools: tuple[str, ...]
    """Names of what the request offers."""

    @property
    def answer_title(self) -> str:
        """Says so when the answer is only what came before the run was ended or failed."""
        is_cut = self.answer and self.run.card.state in (RunState.FAILED, RunState.CANCELLED)
        return "Answer, until the run ended" if is_cut else "Answer"

    @classmethod
    def build(cls, run: RunDetail) -> RunDetailContext:
        """The page of one run. Of a long conversation the newest messages are shown."""
        shown = run.messages[-50:]
        return cls(
            run=RunStrip.build(run),
            answer=run.answer,
            messages=tuple((str(message.get("role", "")), _text(message)) for message in shown),
            message_count=len(run.messages),
            tools=tuple(name_tool(tool) for tool in run.tools),
        )


def _addresses(card: RunCard) -> dict[str, str]:
    rerun = [("workflow", card.file_path), ("discussion", card.discussion)]
    return {
        "self": page_address("run-detail", card.id),
        "events": page_address("run-events", card.id),
        "cancel": page_address("run-cancel", card.id),
        "list": page_address("run-list"),
        "workflow": page_address("workflow-detail", card.file_path),
        "again": page_address("run-start", parameters=rerun),
        "parent": page_address("run-detail", card.parent_id) if card.parent_id else "",
        "compare": _compare_address(card.parent_id, card.id) if card.parent_id else "",
        "api": api_address("runs", card.id),
    }


def _compare_address(left: int, right: int) -> str:
    return page_address("run-compare", parameters=[("run", left), ("run", right)])


def _tree_row(run_id: int, node: NodeRow, times: tuple[float, float], selected: int | None) -> TreeRow:
    total, now = times
    # A running node's bar reaches to the right end: how long it will take is not known.
    length = node.milliseconds if node.milliseconds is not None else total - node.offset_milliseconds
    x = min(_WIDTH - 4, round(node.offset_milliseconds / total * _WIDTH))
    return TreeRow(
        node=node,
        url=page_address("node-run-detail", run_id, node.number),
        depth_class=f"depth-{min(node.depth, _DEEPEST)}",
        state=NODE_STATES[node.state],
        duration=format_duration(node.milliseconds),
        own=format_duration(node.own_milliseconds) if node.own_milliseconds != node.milliseconds else "",
        tokens=format_tokens(node.prompt_tokens, node.completion_tokens, is_measured=node.is_measured),
        bar_x=x,
        bar_width=max(4, min(_WIDTH - x, round(length / total * _WIDTH))),
        is_selected=node.number == selected,
        elapsed=round(max(0.0, now - node.offset_milliseconds)) if now and node.milliseconds is None else None,
    )


def _tell_origin(card: RunCard) -> str:
    if card.first_node is None:
        return ""
    of = f"run {card.parent_id}" if card.parent_id else "a deleted run"
    if card.is_edited:
        return f"Node {card.first_node} of {of} edited, then run from there"
    what = "Only" if card.is_single_node else "From"
    return f"{what} node {card.first_node} of {of}"


def _chip(wanted: RunFilter, state: RunState, count: int) -> Chip:
    is_on = wanted.state == state
    turned = RunFilter(wanted.text, "" if is_on else state, wanted.discussion)
    url = page_address("run-list", parameters=_parameters(turned))
    return Chip(RUN_STATES[state].text.capitalize(), url, count, is_on)


def _parameters(wanted: RunFilter) -> Sequence[tuple[str, object]]:
    return [("text", wanted.text), ("state", wanted.state), ("discussion", wanted.discussion)]


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    return content if isinstance(content, str) else ("" if content is None else str(content))
