"""The list of workflow files, and one of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from workflows_app.contexts.addresses import api_address, page_address
from workflows_app.forms import WorkflowNewForm
from workflows_app.results import NodeCard, WorkflowDetail, WorkflowFile, WorkflowUse

SHOWN_TYPES = 5
_SETTINGS_SHOWN = ("endpointName", "preset", "type", "title", "agentName", "workflowName")


@dataclass(frozen=True, slots=True)
class WorkflowRow:
    """One file in the list."""

    file: WorkflowFile
    url: str
    run_url: str
    edit_url: str
    types: tuple[str, ...]
    more_types: int

    @classmethod
    def build(cls, file: WorkflowFile) -> WorkflowRow:
        """Addresses, and the first few types."""
        return cls(
            file=file,
            url=page_address("workflow-detail", file.path),
            run_url=run_address(file.path) if file.is_runnable else "",
            edit_url=edit_address(file.path),
            types=file.types[:SHOWN_TYPES],
            more_types=max(0, len(file.types) - SHOWN_TYPES),
        )


@dataclass(frozen=True, slots=True)
class FolderGroup:
    """The files of one folder."""

    name: str
    rows: tuple[WorkflowRow, ...]


@dataclass(frozen=True, slots=True)
class WorkflowListContext:
    """Every file, folder by folder."""

    groups: tuple[FolderGroup, ...]
    total: int
    text: str
    runs_url: str
    list_url: str
    new_url: str
    api_url: str

    @classmethod
    def build(cls, files: Sequence[WorkflowFile], text: str) -> WorkflowListContext:
        """The page for one filter."""
        return cls(
            groups=tuple(
                FolderGroup(folder or "Workflows", tuple(WorkflowRow.build(file) for file in group))
                for folder, group in groupby(files, key=lambda file: file.folder)
            ),
            total=len(files),
            text=text,
            runs_url=page_address("run-list"),
            list_url=page_address("workflow-list"),
            new_url=page_address("workflow-new"),
            api_url=api_address("workflows", parameters=[("text", text)]),
        )


@dataclass(frozen=True, slots=True)
class NodeCardRow:
    """A node as a card."""

    card: NodeCard
    calls_url: str
    json: str
    settings: tuple[tuple[str, str], ...]
    """Short properties, name and value."""

    @classmethod
    def build(cls, card: NodeCard, folder: str) -> NodeCardRow:
        """A link to the workflow it calls, and its JSON."""
        path = f"{folder}/{card.calls_workflow}" if folder else card.calls_workflow
        return cls(
            card=card,
            calls_url=page_address("workflow-detail", path) if card.calls_workflow else "",
            json=json.dumps(card.values, indent=2, ensure_ascii=False),
            settings=tuple(_list_settings(card)),
        )


@dataclass(frozen=True, slots=True)
class WorkflowUseRow:
    """A file that names the workflow."""

    use: WorkflowUse
    url: str


@dataclass(frozen=True, slots=True)
class WorkflowDetailContext:
    """One file: its nodes as cards, and as it stands on disk."""

    workflow: WorkflowDetail
    nodes: tuple[NodeCardRow, ...]
    variables: tuple[tuple[str, str], ...]
    run_url: str
    runs_url: str
    edit_url: str
    versions_url: str
    urls: Mapping[str, str]
    """Of what can be done to the file."""
    uses: tuple[WorkflowUseRow, ...]
    list_url: str
    api_url: str

    @classmethod
    def build(cls, workflow: WorkflowDetail, uses: Sequence[WorkflowUse] = ()) -> WorkflowDetailContext:
        """The page of one file."""
        file = workflow.file
        named = {key: value for key, value in workflow.variables.items() if key != "displayOnlyComment"}
        return cls(
            workflow=workflow,
            nodes=tuple(NodeCardRow.build(card, file.folder) for card in workflow.nodes),
            variables=tuple((key, json.dumps(value, ensure_ascii=False)) for key, value in named.items()),
            run_url=run_address(file.path) if file.is_runnable else "",
            runs_url=page_address("run-list", parameters=[("text", file.name)]),
            edit_url=edit_address(file.path),
            versions_url=page_address("config-versions", f"Workflows/{file.path}.json"),
            urls=action_addresses(f"Workflows/{file.path}.json"),
            uses=tuple(WorkflowUseRow(use, use_address(use.source)) for use in uses),
            list_url=page_address("workflow-list"),
            api_url=api_address("workflows", file.path),
        )


@dataclass(frozen=True, slots=True)
class WorkflowNewContext:
    """The form for a new workflow."""

    form: WorkflowNewForm
    list_url: str
    action_url: str
    starters_url: str

    @classmethod
    def build(cls, form: WorkflowNewForm) -> WorkflowNewContext:
        """The page for one form."""
        return cls(form, page_address("workflow-list"), page_address("workflow-new"), page_address("starter-list"))


def use_address(path: str) -> str:
    """The page of a file that names a workflow."""
    if path.startswith("Workflows/"):
        return page_address("workflow-detail", path.removeprefix("Workflows/").removesuffix(".json"))
    return page_address("config-detail", path)


def action_addresses(path: str) -> dict[str, str]:
    """Where a file is copied, renamed and deleted."""
    names = {"copy": "config-copy", "rename": "config-rename", "removal": "config-removal"}
    return {key: page_address(name, path) for key, name in names.items()}


def edit_address(path: str) -> str:
    """The editor of a file below `Workflows`, named without `.json`."""
    return page_address("config-edit", f"Workflows/{path}.json")


def run_address(path: str, discussion: str = "") -> str:
    """The form that starts a run of this workflow."""
    return page_address("run-start", parameters=[("workflow", path), ("discussion", discussion)])


def _list_settings(card: NodeCard) -> list[tuple[str, str]]:
    short: list[tuple[str, str]] = []
    for key, value in card.values.items():
        if key not in _SETTINGS_SHOWN and isinstance(value, bool | int | float):
            short.append((key, json.dumps(value)))
    return short[:6]
