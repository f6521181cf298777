"""Which workflows each user reaches, from where, and with how many inputs."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from workflows_app.configs.kinds import ConfigKind
from workflows_app.configs.places import DEFAULT_WORKFLOW, routing_file
from workflows_app.configs.source import Pointer
from workflows_app.lint.folder import ConfigFolder
from workflows_app.lint.lookup import UserView, join
from workflows_app.lint.workflow import Call, Node, WorkflowFile

SETTINGS_WORKFLOWS: Final = {
    "fileMemoryWorkflowName": 4,
    "vectorMemoryWorkflowName": 1,
    "stateDocumentWorkflowName": 2,
}
"""The workflows that memory settings name, with the number of inputs each gets."""
TOOL_WORKFLOWS: Final = (
    "chatSummaryToolWorkflow",
    "recentMemoryToolWorkflow",
    "conversationMemoryToolWorkflow",
    "fileMemoryToolWorkflow",
)


@dataclass(frozen=True, slots=True)
class Start:
    """How a workflow is started: by a request or a tool (no caller), by settings, or by a node."""

    path: str
    """The workflow that is started, whether it exists or not."""
    inputs: int = 0
    answers: bool = False
    """Its result is what the person gets, if the caller's node answers."""
    is_categorizer: bool = False
    caller: str = ""
    """The file that names it."""
    at: Pointer = ()
    call: Call | None = None
    node: Node | None = None


@dataclass
class Reached:
    """One workflow as one user reaches it."""

    starts: list[Start] = field(default_factory=list)
    answers: bool = False
    is_categorizer: bool = False


@dataclass
class Reach:
    """Everything one user reaches, by path; paths without a file included."""

    user: UserView
    workflows: dict[str, Reached] = field(default_factory=dict)

    def list_calls(self) -> Iterator[Start]:
        """Every start of a workflow, missing ones too."""
        for reached in self.workflows.values():
            yield from reached.starts


class Workshop:
    """All workflows of a folder, taken apart once."""

    def __init__(self, folder: ConfigFolder) -> None:
        self.folder = folder
        self.files = {document.path: WorkflowFile(document) for document in folder.list_kind(ConfigKind.WORKFLOW)}
        self.users = [UserView(folder, document) for document in folder.users]
        self.reaches = [trace(user, self.files) for user in self.users]
        self._by_workflow: dict[str, list[Reach]] = {}
        for reach in self.reaches:
            for path in reach.workflows:
                self._by_workflow.setdefault(path, []).append(reach)

    def reached_by(self, path: str) -> list[Reach]:
        """The users that reach a workflow."""
        return self._by_workflow.get(path, [])

    def starts_of(self, path: str) -> list[Start]:
        """Every way a workflow is started, by any user, each once."""
        starts: dict[tuple[str, Pointer], Start] = {}
        for reach in self.reached_by(path):
            for start in reach.workflows[path].starts:
                starts[start.caller, start.at] = start
        return list(starts.values())

    def viewers_of(self, path: str) -> list[UserView]:
        """The users whose configs count for a workflow: those that reach it, else those whose folder it is in."""
        reached = [reach.user for reach in self.reached_by(path)]
        if reached:
            return reached
        folder = self.folder.documents[path].folder
        return [user for user in self.users if user.workflow_folder == folder]


def trace(user: UserView, files: dict[str, WorkflowFile]) -> Reach:
    """Follows every way from a user's config.

    Each workflow is looked into once, and again if it turns out to answer.
    """
    reach = Reach(user)
    queue: deque[Start] = deque(_roots(user))
    seen: set[tuple[str, bool]] = set()
    while queue:
        start = queue.popleft()
        reached = reach.workflows.setdefault(start.path, Reached())
        if not any(known.caller == start.caller and known.at == start.at for known in reached.starts):
            reached.starts.append(start)
        reached.answers = reached.answers or start.answers
        reached.is_categorizer = reached.is_categorizer or start.is_categorizer
        if start.path in files and (start.path, start.answers) not in seen:
            seen.add((start.path, start.answers))
            queue.extend(_children(user, files[start.path], start.answers))
    return reach


def _children(user: UserView, file: WorkflowFile, answers: bool) -> Iterator[Start]:
    for node in file.nodes:
        for call in node.calls:
            yield Start(
                path=user.workflow(call.name, call.folder),
                inputs=call.inputs,
                answers=answers and node is file.responder,
                caller=file.path,
                at=call.at,
                call=call,
                node=node,
            )


def _roots(user: UserView) -> Iterator[Start]:
    path = user.document.path
    if user.config.get("customWorkflowOverride"):
        yield from _named(user, "customWorkflow", answers=True)
    else:
        yield from _routed(user)
    for key in TOOL_WORKFLOWS:
        yield from _named(user, key)
    for shared in user.shared_workflows:
        yield Start(shared, answers=True, caller=path, at=("sharedWorkflowsSubDirectoryOverride",))
    name = user.text("discussionIdMemoryFileWorkflowSettings")
    settings = user.folder.find(user.workflow(name)) if name else None
    if settings is None:
        return
    for key, inputs in SETTINGS_WORKFLOWS.items():
        target = settings.object.get(key)
        if isinstance(target, str) and target:
            yield Start(user.workflow(target), inputs=inputs, caller=settings.path, at=(key,))


def _routed(user: UserView) -> Iterator[Start]:
    path = user.document.path
    for start in _named(user, "categorizationWorkflow"):
        yield Start(start.path, is_categorizer=True, caller=path, at=start.at)
    name = user.text("routingConfig")
    if not name:
        return
    yield Start(user.workflow(DEFAULT_WORKFLOW), answers=True, caller=path, at=("routingConfig",))
    routing = user.folder.find(join(*routing_file(name)))
    for category, entry in (routing.object if routing else {}).items():
        target = entry.get("workflow") if isinstance(entry, dict) else None
        if routing and isinstance(target, str) and target:
            yield Start(user.workflow(target), answers=True, caller=routing.path, at=(category, "workflow"))


def _named(user: UserView, key: str, *, answers: bool = False) -> Iterator[Start]:
    if user.text(key):
        yield Start(user.workflow(user.text(key)), answers=answers, caller=user.document.path, at=(key,))
