"""The editor's page: cards, the form of one node, problems, and the tokens of its call."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from workflows_app.configs.fields import describe_node
from workflows_app.configs.source import parse_pointer
from workflows_app.contexts.addresses import api_address, page_address
from workflows_app.contexts.editor_fields import NodeForm, build_form
from workflows_app.contexts.workflows import action_addresses
from workflows_app.engine.definition import opts_in
from workflows_app.engine.json_places import locate_offset
from workflows_app.engine.node_types import NODE_TYPES
from workflows_app.queries.editing import EditorLook, EditorRequest
from workflows_app.queries.node_looks import READING_TYPES, TokenBudget
from workflows_app.results import Problem, Severity
from workflows_app.services.editor_opening import Surroundings
from workflows_app.services.editor_saving import SaveOutcome, Signature

MAX_PROBLEMS = 200
_NAMED = re.compile(r"`([A-Za-z_]\w*)`")
_TONES = {Severity.ERROR: "error", Severity.WARNING: "stale", Severity.HINT: "info"}


@dataclass(frozen=True, slots=True)
class CardRow:
    """A node in the list."""

    index: int
    number: int
    title: str
    type: str
    is_known: bool
    detail: str
    """Endpoint, or the workflow it runs."""
    is_responder: bool
    errors: int
    warnings: int


@dataclass(frozen=True, slots=True)
class ProblemRow:
    """A problem with a place to jump to."""

    problem: Problem
    tone: str
    index: int
    """0-based position of the node; -1 for none."""
    field: str

    @property
    def number(self) -> int:
        """The node's position from 1."""
        return self.index + 1


@dataclass(frozen=True, slots=True)
class ShelfRow:
    """A node on the shelf."""

    key: str
    label: str
    type: str


@dataclass(frozen=True, slots=True)
class BudgetBar:
    """The tokens of a call as a bar."""

    budget: TokenBudget
    maximum: int
    tone: str
    text: str

    @classmethod
    def build(cls, budget: TokenBudget) -> BudgetBar:
        """Against the endpoint's context; without one the bar is full."""
        share = budget.total / budget.window if budget.window else 0
        tone = "error" if share > 1 else "stale" if share > 0.9 else "ok"
        of = f" of {budget.window:,}" if budget.window else ""
        return cls(budget, budget.window or budget.total or 1, tone, f"{budget.total:,}{of}")


@dataclass(frozen=True, slots=True)
class EditorLive:
    """What changes with every step."""

    request: EditorRequest
    is_workflow: bool
    is_readable: bool
    """Whether the text could be taken apart."""
    cards: tuple[CardRow, ...]
    form: NodeForm | None
    problems: tuple[ProblemRow, ...]
    more_problems: int
    counts: Mapping[str, int]
    budget: BudgetBar | None
    shelf: tuple[ShelfRow, ...]
    variables: tuple[tuple[str, str], ...]
    can_return: bool
    has_mark: bool
    """Whether the text begins with a byte order mark."""
    line: int = 1
    """1-based line of the text that the node begins on."""
    said: str = ""
    error: str = ""
    error_field: str = ""
    marks: Mapping[str, str] = field(default_factory=dict)
    """What tells one state of a piece from another: of `nodes` and `problems`."""
    same: frozenset[str] = frozenset()
    """Pieces that the page shows already as they are."""

    @classmethod
    def build(
        cls,
        look: EditorLook,
        *,
        said: str = "",
        error: str = "",
        error_field: str = "",
        known: Mapping[str, str] | None = None,
    ) -> EditorLive:
        """Everything for one text; `known` are the marks of the pieces that the page has."""
        live = cls._build(look, said=said, error=error, error_field=error_field)
        nodes = (live.is_readable, live.cards, live.shelf, live.variables)
        marks = {"nodes": _mark(nodes), "problems": _mark((live.problems, live.more_problems, live.has_mark))}
        same = frozenset(name for name, mark in marks.items() if (known or {}).get(name) == mark)
        return replace(live, marks=marks, same=same)

    @classmethod
    def _build(cls, look: EditorLook, *, said: str, error: str, error_field: str) -> EditorLive:
        rows = tuple(_problem_row(problem) for problem in look.problems)
        node = look.node
        return cls(
            request=look.request,
            is_workflow=look.is_workflow,
            is_readable=look.outline is not None,
            cards=_cards(look, rows),
            form=_form(look, node),
            problems=rows[:MAX_PROBLEMS],
            more_problems=max(0, len(rows) - MAX_PROBLEMS),
            counts=_count(look.problems),
            budget=BudgetBar.build(look.budget) if look.budget else None,
            shelf=tuple(ShelfRow(item.key, _title(item.node), _kind(item.node)) for item in look.shelf),
            variables=_variables(look),
            can_return=_kind(node) in READING_TYPES,
            has_mark=look.request.text.startswith("\ufeff"),
            line=_line(look),
            said=said,
            error=error,
            error_field=error_field,
        )

    @property
    def selected(self) -> int:
        """0-based position of the node that is looked at."""
        return self.form.number - 1 if self.form else self.request.node


@dataclass(frozen=True, slots=True)
class EditorContext:
    """The whole page."""

    live: EditorLive
    name: str
    folder: str
    around: Surroundings
    urls: Mapping[str, str]
    insist_reason: str = ""
    note: str = ""
    refused: str = ""
    """Why the last save did not happen."""
    needs_reason: bool = False

    @classmethod
    def build(
        cls,
        live: EditorLive,
        around: Surroundings,
        outcome: SaveOutcome | None = None,
        signature: Signature | None = None,
    ) -> EditorContext:
        """The page of one file; `outcome` and `signature` are of a save that did not happen."""
        folder, _, name = live.request.path.rpartition("/")
        return cls(
            live=live,
            name=name.removesuffix(".json"),
            folder=folder.removeprefix("Workflows/"),
            around=around,
            urls=editor_urls(live.request.path, is_workflow=live.is_workflow),
            insist_reason=signature.insist_reason if signature else "",
            note=signature.note if signature else "",
            refused=outcome.refused if outcome else "",
            needs_reason=outcome.needs_reason if outcome else False,
        )


def editor_urls(path: str, *, is_workflow: bool) -> dict[str, str]:
    """Addresses that the page needs."""
    workflow = path.removeprefix("Workflows/").removesuffix(".json")
    return {
        "change": page_address("config-change", path),
        "look": page_address("config-look", path),
        "save": page_address("config-save", path),
        "dry_run": page_address("config-dry-run", path),
        "versions": page_address("config-versions", path),
        "schema": page_address("config-schema", path),
        **action_addresses(path),
        "list": page_address("workflow-list" if is_workflow else "config-list"),
        "detail": page_address("workflow-detail", workflow) if is_workflow else page_address("config-detail", path),
        "api": api_address("configs", path),
    }


def _mark(piece: object) -> str:
    return hashlib.sha256(repr(piece).encode("utf-8", "replace")).hexdigest()[:16]


def _line(look: EditorLook) -> int:
    if look.outline is None or look.position is None:
        return 1
    return locate_offset(look.request.text, look.outline.places[look.position].start)[0]


def _cards(look: EditorLook, rows: Sequence[ProblemRow]) -> tuple[CardRow, ...]:
    if look.outline is None:
        return ()
    nodes = look.outline.nodes
    errors = Counter(row.index for row in rows if row.tone == "error")
    warnings = Counter(row.index for row in rows if row.tone == "stale")
    responder = _responder(nodes)
    return tuple(
        CardRow(
            index=index,
            number=index + 1,
            title=_title(node),
            type=_kind(node),
            is_known=_kind(node) in NODE_TYPES,
            detail=_detail(node),
            is_responder=index == responder,
            errors=errors[index],
            warnings=warnings[index],
        )
        for index, node in enumerate(nodes)
    )


def _responder(nodes: Sequence[Any]) -> int:
    chosen = (index for index, node in enumerate(nodes) if isinstance(node, dict) and opts_in(node))
    return next(chosen, len(nodes) - 1)


def _form(look: EditorLook, node: Any) -> NodeForm | None:
    if look.position is None or not isinstance(node, dict):
        return None
    return build_form(look.position, node, look.specs, look.names, help=describe_node(_kind(node)))


def _problem_row(problem: Problem) -> ProblemRow:
    pointer = list(parse_pointer(problem.at)) if problem.at else []
    if pointer and pointer[0] == "nodes":
        pointer = pointer[1:]
    index = pointer[0] if pointer and isinstance(pointer[0], int) else -1
    field = next((part for part in pointer[1:2] if isinstance(part, str)), "")
    if index >= 0 and not field:
        # A missing key has no place of its own; the advice names it.
        named = _NAMED.search(f"{problem.mend} {problem.message}")
        field = named.group(1) if named else ""
    return ProblemRow(problem, _TONES[problem.severity], index, field)


def _count(problems: Sequence[Problem]) -> dict[str, int]:
    found = Counter(problem.severity.value for problem in problems)
    return {severity.value: found[severity.value] for severity in Severity}


def _variables(look: EditorLook) -> tuple[tuple[str, str], ...]:
    values = look.outline.variables if look.outline else {}
    return tuple((name, value if isinstance(value, str) else _as_json(value)) for name, value in values.items())


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _title(node: Any) -> str:
    return str(node.get("title") or node.get("agentName") or "")[:200] if isinstance(node, dict) else ""


def _kind(node: Any) -> str:
    return str(node.get("type", "Standard"))[:80] if isinstance(node, dict) else "no object"


def _detail(node: Any) -> str:
    if not isinstance(node, dict):
        return ""
    return str(node.get("workflowName") or node.get("endpointName") or "")[:120]
