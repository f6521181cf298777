"""The workflow files of the folder that is open."""

from __future__ import annotations

from typing import Any

from wilmer_site.lib.errors import WilmerError
from workflows_app import wiring
from workflows_app.engine.config_secrets import mask_text
from workflows_app.engine.definition import Workflow, parse_workflow
from workflows_app.engine.node_types import NODE_TYPES
from workflows_app.queries.references import get_reference_map
from workflows_app.results import NodeCard, WorkflowDetail, WorkflowFile, WorkflowUse
from workflows_app.stores.workflow_folder import FoundFile, parse_document


def list_workflows(text: str = "") -> list[WorkflowFile]:
    """Every JSON file below `Configs/Workflows` whose path contains `text`, folder by folder."""
    wanted = text.strip().lower()
    return [_look(found) for found in wiring.get_workflow_folder().list_files() if wanted in found.path.lower()]


def get_workflow(path: str) -> WorkflowDetail:
    """One file with its nodes, secrets masked; its faults are in the result. Raises WorkflowNotFoundError."""
    text = wiring.get_workflow_folder().read_text(path)
    found = FoundFile(path, len(text.encode()))
    text = mask_text(f"Workflows/{path}.json", text)
    try:
        document = parse_document(text)
        workflow = parse_workflow(path, document)
    except WilmerError as error:
        return WorkflowDetail(_describe(found, None, problem=error.message), (), {}, text)
    return WorkflowDetail(_describe(found, workflow), _list_nodes(workflow), _variables(document), text)


def list_users() -> list[str]:
    """The WilmerAI users a run may be for, the one whose config counts first."""
    names, current = wiring.list_user_names(), wiring.get_user_name()
    return sorted(names, key=lambda name: (name.lower() != current.lower(), name))


def list_users_of(path: str) -> list[WorkflowUse]:
    """The places in other files that name a workflow."""
    found = get_reference_map().list_to(f"Workflows/{path}.json")
    return [WorkflowUse(reference.source, reference.place) for reference in found]


def list_folders() -> list[str]:
    """The folders that workflows may lie in: those that are there, and the users' own."""
    found = {file.path.rpartition("/")[0] for file in wiring.get_workflow_folder().list_files()} - {""}
    return sorted(found | {folder for name in list_users() for folder in _folder_of_user(name)}, key=str.lower)


def find_own_folder() -> str:
    """The folder of the user whose config counts; empty when that config cannot be read."""
    return next(iter(_folder_of_user(wiring.get_user_name())), "")


def choose_user(folder: str) -> str:
    """The user a workflow of this folder is likely meant for: the current one if the folder is theirs."""
    users = list_users()
    for name in users:
        try:
            if wiring.open_configs(name).paths.workflow_folder.lower() == folder.lower():
                return name
        except WilmerError:
            continue
    return users[0] if users else ""


def find_path(name: str, folder: str = "", user: str = "") -> str:
    """The path of a workflow named as a person would: in `folder`, else as a whole path, else in the user's folder."""
    if folder:
        return f"{folder}/{name}"
    known = {found.path for found in wiring.get_workflow_folder().list_files()}
    if name in known:
        return name
    return f"{wiring.open_configs(user).paths.workflow_folder}/{name}"


def _folder_of_user(name: str) -> list[str]:
    try:
        return [wiring.open_configs(name).paths.workflow_folder]
    except WilmerError:
        return []


def _look(found: FoundFile) -> WorkflowFile:
    try:
        text = wiring.get_workflow_folder().read_text(found.path)
        document = parse_document(text)
        if _is_settings(document):
            return WorkflowFile(found.path, found.size_bytes, note="Settings, not a workflow.")
        return _describe(found, parse_workflow(found.path, document))
    except WilmerError as error:
        return _describe(found, None, problem=error.message)


def _is_settings(document: Any) -> bool:
    """Memory and compactor settings lie among the workflows; they are objects without nodes."""
    return isinstance(document, dict) and "nodes" not in document


def _describe(found: FoundFile, workflow: Workflow | None, *, problem: str = "") -> WorkflowFile:
    if workflow is None:
        return WorkflowFile(found.path, found.size_bytes, problem=problem)
    return WorkflowFile(
        path=found.path,
        size_bytes=found.size_bytes,
        node_count=len(workflow.nodes),
        types=tuple(dict.fromkeys(str(node.get("type", "Standard")) for node in workflow.nodes)),
        note=str(workflow.variables.get("displayOnlyComment") or ""),
        problem="" if workflow.nodes else "There are no nodes.",
    )


def _variables(document: Any) -> dict[str, Any]:
    return {key: value for key, value in document.items() if key != "nodes"} if isinstance(document, dict) else {}


def _list_nodes(workflow: Workflow) -> tuple[NodeCard, ...]:
    return tuple(
        NodeCard(
            position=position,
            type=str(node.get("type", "Standard")),
            title=str(node.get("title") or node.get("agentName") or ""),
            endpoint=str(node.get("endpointName") or ""),
            preset=str(node.get("preset") or ""),
            is_known=str(node.get("type", "Standard")) in NODE_TYPES,
            is_responder=position - 1 == workflow.responder,
            calls_workflow=str(node.get("workflowName") or ""),
            values=node,
        )
        for position, node in enumerate(workflow.nodes, start=1)
    )
