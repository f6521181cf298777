"""Rules for workflows that start each other (configs.md §13.2, §13.3)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from functools import cached_property

from workflows_app.lint.findings import Finding, with_user
from workflows_app.lint.folder import ConfigFolder
from workflows_app.lint.lookup import UserView
from workflows_app.lint.node_facts import find_unshowable
from workflows_app.lint.reach import Reach, Start, Workshop
from workflows_app.lint.reference_rules import Place, check_workflow_name
from workflows_app.lint.workflow import OVERRIDES, Call, Node, WorkflowFile
from workflows_app.results import Severity

E, W, H = Severity.ERROR, Severity.WARNING, Severity.HINT


def check_call_names(file: WorkflowFile) -> Iterator[Finding]:
    """Names of workflows with variables, which are not replaced."""
    for node in file.nodes:
        for call in node.calls:
            if "{" in call.name or "{" in call.folder:
                yield Finding(
                    "workflow-name-template",
                    file.path,
                    call.at,
                    f"Variables in the name of a workflow are not replaced: {call.name!r}.",
                    "Use ConditionalCustomWorkflow to choose a workflow.",
                )


def check_calls(file: WorkflowFile, user: UserView, workshop: Workshop) -> Iterator[Finding]:
    """The workflows that nodes start, for one user."""
    for node in file.nodes:
        for call in node.calls:
            place = Place(user, file.path, call.at)
            yield from check_workflow_name(place, call.name, call.folder)
            path = user.workflow(call.name, call.folder)
            child = workshop.files.get(path)
            if child is None:
                yield from _check_lost(place, call, file, workshop.folder)
            else:
                yield from with_user(_check_child(file, node, call, child), user.name)


def _check_lost(place: Place, call: Call, file: WorkflowFile, folder: ConfigFolder) -> Iterator[Finding]:
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(file.path), f"{call.name}.json"))
    if not call.folder and beside in folder.documents and beside != place.user.workflow(call.name):
        yield place.finding(
            "folder-override-lost",
            f"{call.name!r} lies beside this workflow, but is looked for in "
            f"{place.user.workflow_folder}: a folder does not pass on to children.",
            "Set `workflowUserFolderOverride` on this node.",
        )


def _check_child(file: WorkflowFile, node: Node, call: Call, child: WorkflowFile) -> Iterator[Finding]:
    used = max(child.used_inputs, default=0)
    if call.inputs > used and isinstance(node.values.get("scoped_variables"), list) and child.nodes:
        surplus = call.inputs - used
        yield Finding(
            "input-unused",
            file.path,
            node.pointer("scoped_variables"),
            f"{child.document.name} uses {used} of the {call.inputs} inputs; {surplus} for nothing.",
        )
    if any("systemPrompt" in each.values or "prompt" in each.values for each in child.nodes):
        return
    for key in OVERRIDES:
        if node.values.get(key) and key in node.fields:
            yield Finding(
                "override-without-target",
                file.path,
                node.pointer(key),
                f"No node of {child.document.name} has a prompt that this could replace.",
            )


def check_answers(file: WorkflowFile, workshop: Workshop) -> Iterator[Finding]:
    """Whether the node whose output a person gets gives something a chat can show."""
    responder = file.responder
    if responder is None:
        return
    reason = find_unshowable(responder)
    for reach in workshop.reached_by(file.path) if reason else ():
        if reach.workflows[file.path].answers:
            yield Finding(
                "responder-not-text",
                file.path,
                responder.at,
                f"The node that answers {reason}.",
                "Let a node that gives text answer.",
                user=reach.user.name,
            )


def check_unreachable(file: WorkflowFile, workshop: Workshop) -> Iterator[Finding]:
    """Whether anything leads to a workflow."""
    if not workshop.reached_by(file.path):
        yield Finding(
            "workflow-unreachable", file.path, (), "No user, route, node or settings file leads to this workflow."
        )


class Graph:
    """Which workflow starts which, for one user."""

    def __init__(self, reach: Reach, files: dict[str, WorkflowFile]) -> None:
        self._reach = reach
        self._files = files

    @cached_property
    def edges(self) -> dict[str, list[Start]]:
        """The starts in each file, by the file of the caller."""
        found: dict[str, list[Start]] = {}
        for start in self._reach.list_calls():
            if start.call is not None and start.path in self._files:
                found.setdefault(start.caller, []).append(start)
        return found

    def check_cycles(self) -> Iterator[Finding]:
        """Each call that leads back to a workflow that is already running."""
        user = self._reach.user.name
        for start, chain in self._back_edges():
            severity = W if any(link.call and link.call.is_conditional for link in chain) else E
            names = " → ".join(posixpath.basename(link.caller).removesuffix(".json") for link in chain)
            yield Finding(
                "workflow-cycle",
                start.caller,
                start.at,
                f"These workflows start each other: {names} → …",
                "Break the circle.",
                severity,
                user,
            )

    def _back_edges(self) -> Iterator[tuple[Start, list[Start]]]:
        """Depth first, without recursion; a call to a workflow on the way there closes a circle."""
        done: set[str] = set()
        for root in sorted(self.edges):
            if root in done:
                continue
            way: list[Start] = []
            stack: list[tuple[str, Iterator[Start]]] = [(root, iter(self.edges.get(root, ())))]
            on_way = {root}
            while stack:
                path, starts = stack[-1]
                start = next(starts, None)
                if start is None:
                    stack.pop()
                    on_way.discard(path)
                    done.add(path)
                    if way:
                        way.pop()
                elif start.path in on_way:
                    begin = next(index for index, (each, _) in enumerate(stack) if each == start.path)
                    yield start, [*way[begin:], start]
                elif start.path not in done:
                    way.append(start)
                    on_way.add(start.path)
                    stack.append((start.path, iter(self.edges.get(start.path, ()))))

    def check_locks(self) -> Iterator[Finding]:
        """Locks that are held when a child takes them again."""
        below: dict[str, frozenset[str]] = {}
        for path in self.edges:
            held: set[str] = set()
            file = self._files[path]
            starts = {start.node.number: start for start in self.edges[path] if start.node}
            for node in file.nodes:
                if node.type == "WorkflowLock" and node.values.get("workflowLockId"):
                    held.add(str(node.values["workflowLockId"]))
                elif held and node.number in starts:
                    yield from self._check_held(starts[node.number], held, below)

    def _check_held(self, start: Start, held: set[str], below: dict[str, frozenset[str]]) -> Iterator[Finding]:
        for name in sorted(held & self._locks_below(start.path, below)):
            yield Finding(
                "lock-repeated",
                start.caller,
                start.at,
                f"The lock {name!r} is held here, and {posixpath.basename(start.path)} takes it again, which "
                "ends every request.",
                user=self._reach.user.name,
            )

    def _locks_below(self, path: str, known: dict[str, frozenset[str]]) -> frozenset[str]:
        """Locks that a workflow and everything it starts take."""
        if path in known:
            return known[path]
        seen, todo, locks = {path}, [path], set()
        while todo:
            current = todo.pop()
            locks |= {
                str(node.values["workflowLockId"])
                for node in self._files[current].nodes
                if node.type == "WorkflowLock" and node.values.get("workflowLockId")
            }
            for start in self.edges.get(current, ()):
                if start.path not in seen:
                    seen.add(start.path)
                    todo.append(start.path)
        known[path] = frozenset(locks)
        return known[path]
