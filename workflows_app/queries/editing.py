"""Everything the editor shows of a text that is being edited; nothing of it is kept on the server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from memory.results import ApiKeys
from wilmer_site.lib.errors import WilmerError
from workflows_app import wiring
from workflows_app.configs.fields import FieldSpec, FieldType, fields_of, fields_of_node
from workflows_app.configs.kinds import ConfigKind, Reference, find_kind
from workflows_app.configs.source import replace_halves
from workflows_app.engine.config_secrets import restore_text
from workflows_app.engine.json_places import parse
from workflows_app.engine.node_types import NODE_TYPES
from workflows_app.engine.workflow_edits import Outline, read_outline
from workflows_app.queries.config_checks import find_problems
from workflows_app.queries.node_bench import Bench, BenchRequest, open_bench
from workflows_app.queries.node_looks import Returned, ScopeGroup, TokenBudget, list_scope, measure, read_returned
from workflows_app.queries.pickers import list_names
from workflows_app.results import Problem, Severity
from workflows_app.stores.config_writes import decode
from workflows_app.stores.shelf_files import ShelfItem


@dataclass(frozen=True, slots=True)
class EditorRequest:
    """A text in the making, the node that is looked at, and for whom."""

    path: str
    text: str = field(repr=False)
    etag: str = ""
    """The version that the text was begun from."""
    node: int = 0
    """0-based position."""
    user: str = ""
    discussion: str = ""
    keys: ApiKeys = field(default_factory=dict, repr=False)

    @property
    def bench(self) -> BenchRequest:
        """The same for looking at one node."""
        return BenchRequest(self.path, self.user, self.discussion, self.keys)


@dataclass(frozen=True, slots=True)
class EditorLook:
    """What there is to show."""

    request: EditorRequest
    outline: Outline | None
    """None for text that is no workflow."""
    problems: tuple[Problem, ...] = ()
    specs: Mapping[str, FieldSpec] = field(default_factory=dict)
    """Fields of the node that is looked at."""
    names: Mapping[Reference, tuple[str, ...]] = field(default_factory=dict)
    budget: TokenBudget | None = None
    shelf: tuple[ShelfItem, ...] = ()

    @property
    def is_workflow(self) -> bool:
        """Whether the text is to be taken for nodes: settings that lie among the workflows are not."""
        return is_workflow(self.request)

    @property
    def position(self) -> int | None:
        """The node that is looked at, if there is one."""
        count = len(self.outline.nodes) if self.outline else 0
        return min(max(self.request.node, 0), count - 1) if count else None

    @property
    def node(self) -> Any:
        """Its value; None without nodes."""
        position = self.position
        return self.outline.nodes[position] if self.outline and position is not None else None


def look_at(request: EditorRequest) -> EditorLook:
    """The outline, the problems, and the form of one node."""
    look = EditorLook(request, _find_outline(request), find_text_problems(request), shelf=_shelf(request.path))
    if not isinstance(look.node, dict):
        return look
    specs = fields_of_node(look.node.get("type"))
    wanted = {spec.refers_to for spec in specs.values() if spec.refers_to}
    names = {reference: list_names(reference, request.user, look.node) for reference in wanted}
    return EditorLook(request, look.outline, look.problems, specs, names, _find_budget(look), look.shelf)


def is_workflow(request: EditorRequest) -> bool:
    """Whether a text is a workflow, by its content; one that cannot be read by its path."""
    try:
        root = parse(request.text).root
        shape: Any = [] if root.kind != "object" else {str(member.key): None for member in root.members}
    except WilmerError:
        shape = None
    return find_kind(PurePosixPath(request.path), shape) is ConfigKind.WORKFLOW


def find_text_problems(request: EditorRequest) -> tuple[Problem, ...]:
    """What the checks say of the text, its secrets put back."""
    stored = wiring.get_config_writer().find(request.path)
    try:
        text = restore_text(request.path, request.text, decode(stored or b"")[0])
    except WilmerError as error:
        lost = Problem("secret-lost", Severity.ERROR, error.message, "Type the value itself.", request.path)
        return (lost, *find_problems(request.path, request.text))
    return find_problems(request.path, text)


def list_variables(request: EditorRequest) -> tuple[ScopeGroup, ...]:
    """The variables that the node sees. Empty for text that is no workflow."""
    look = _look_at_node(request)
    if look.outline is None or look.position is None:
        return ()
    return list_scope(open_bench(request.bench), look.outline, look.position)


def get_returned(request: EditorRequest) -> Returned:
    """What the node would give now."""
    look = _look_at_node(request)
    if look.outline is None or look.position is None:
        return Returned("", 0, "There is no node to look at.")
    if not request.discussion:
        return Returned("", 0, "Choose a discussion above.")
    try:
        bench = open_bench(request.bench)
    except WilmerError as error:
        return Returned("", 0, error.message)
    return read_returned(bench, look.outline, look.position)


def list_completions(path: str) -> dict[str, Any]:
    """Keys and their values for completion: by node type for workflows, else for the kind of file."""
    kind = find_kind(PurePosixPath(path))
    if kind is ConfigKind.WORKFLOW:
        return {"types": {name: _completions(fields_of_node(name)) for name in sorted(NODE_TYPES)}}
    return {"keys": _completions(fields_of(kind)) if kind else {}}


def _completions(specs: Mapping[str, FieldSpec]) -> dict[str, Any]:
    return {name: {"info": spec.title, "values": list(spec.choices) or _values(spec)} for name, spec in specs.items()}


def _values(spec: FieldSpec) -> list[Any]:
    return [True, False] if spec.type is FieldType.SWITCH else []


def _look_at_node(request: EditorRequest) -> EditorLook:
    return EditorLook(request, _find_outline(request))


def _find_outline(request: EditorRequest) -> Outline | None:
    if not is_workflow(request):
        return None
    try:
        return read_outline(replace_halves(request.text))
    except WilmerError:
        return None


def _find_budget(look: EditorLook) -> TokenBudget | None:
    if look.outline is None or look.position is None:
        return None
    try:
        bench: Bench = open_bench(look.request.bench)
        return measure(bench, look.outline, look.position)
    except WilmerError:
        return None


def _shelf(path: str) -> tuple[ShelfItem, ...]:
    return wiring.get_shelf(path).read()
