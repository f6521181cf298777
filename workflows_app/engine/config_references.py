"""Which names a config file uses for other config files, and where they stand in it (configs.md §12). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

Pointer = tuple[str | int, ...]
"""Keys and 0-based positions from the top of a JSON document down to a value."""


class Wanted(StrEnum):
    """What kind of file a name is looked up as."""

    USER = "user"
    WORKFLOW = "workflow"
    SETTINGS = "settings"
    ENDPOINT = "endpoint"
    PRESET = "preset"
    PRESET_FILE = "preset file"
    API_TYPE = "API type"
    PROMPT_TEMPLATE = "prompt template"
    ROUTING = "routing"
    MCP_SERVER = "MCP server"
    SCHEMA = "output schema"


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A name of another file, as it is written."""

    pointer: Pointer
    wanted: Wanted
    name: str
    folder: str = ""
    """The node's `workflowUserFolderOverride`."""
    endpoint: str = ""
    """For presets: the endpoint whose API type says which presets there are; empty: the file's own."""
    is_switched_off: bool = False
    """Whether the file says elsewhere that this name does not count, such as `customWorkflow` without its override."""


_IN_USERS = {
    "customWorkflow": Wanted.WORKFLOW,
    "categorizationWorkflow": Wanted.WORKFLOW,
    "chatSummaryToolWorkflow": Wanted.WORKFLOW,
    "recentMemoryToolWorkflow": Wanted.WORKFLOW,
    "conversationMemoryToolWorkflow": Wanted.WORKFLOW,
    "fileMemoryToolWorkflow": Wanted.WORKFLOW,
    "discussionIdMemoryFileWorkflowSettings": Wanted.SETTINGS,
    "contextCompactorSettingsFile": Wanted.SETTINGS,
    "routingConfig": Wanted.ROUTING,
    "chatPromptTemplateName": Wanted.PROMPT_TEMPLATE,
}
_IN_ENDPOINTS = {
    "apiTypeConfigFileName": Wanted.API_TYPE,
    "promptTemplate": Wanted.PROMPT_TEMPLATE,
    "backupEndpointName": Wanted.ENDPOINT,
    "backupPresetName": Wanted.PRESET,
    "appendPresetName": Wanted.PRESET_FILE,
}
_IN_SETTINGS = {
    "endpointName": Wanted.ENDPOINT,
    "preset": Wanted.PRESET,
    "vectorMemoryEndpointName": Wanted.ENDPOINT,
    "vectorMemoryPreset": Wanted.PRESET,
    "condenseMemoriesEndpointName": Wanted.ENDPOINT,
    "condenseMemoriesPreset": Wanted.PRESET,
    "embeddingEndpointName": Wanted.ENDPOINT,
    "fileMemoryWorkflowName": Wanted.WORKFLOW,
    "vectorMemoryWorkflowName": Wanted.WORKFLOW,
    "stateDocumentWorkflowName": Wanted.WORKFLOW,
}
_PRESET_OF = {
    "preset": ("endpointName",),
    "vectorMemoryPreset": ("vectorMemoryEndpointName", "endpointName"),
    "condenseMemoriesPreset": ("condenseMemoriesEndpointName", "endpointName"),
    "backupPresetName": ("backupEndpointName",),
}
"""Whose API type says which presets there are: the first of these keys that is set."""
_IN_NODES = {
    "endpointName": Wanted.ENDPOINT,
    "preset": Wanted.PRESET,
    "embeddingEndpointName": Wanted.ENDPOINT,
    "server": Wanted.MCP_SERVER,
    "structuredOutputFile": Wanted.SCHEMA,
}
_VARIABLE = re.compile(r"\{(\w+)\}")


def list_named_files(path: str, document: Any) -> tuple[NamedFile, ...]:
    """Every name of another file in the document of `path` (below `Configs`, with slashes), in order."""
    finder = _FINDERS.get(path.partition("/")[0])
    if path == "Users/_current-user.json":
        finder = _find_current_user
    return tuple(finder(document)) if finder else ()


def list_texts(document: Any, pointer: Pointer = ()) -> Iterator[tuple[Pointer, str]]:
    """Every text value of a document and where it stands."""
    if isinstance(document, str):
        yield pointer, document
    elif isinstance(document, dict):
        for key, value in document.items():
            yield from list_texts(value, (*pointer, key))
    elif isinstance(document, list):
        for position, value in enumerate(document):
            yield from list_texts(value, (*pointer, position))


def _find_current_user(document: Any) -> Iterator[NamedFile]:
    yield from _by_key(document, {"currentUser": Wanted.USER})


def _find_in_user(document: Any) -> Iterator[NamedFile]:
    if not isinstance(document, dict):
        return
    overrides = bool(document.get("customWorkflowOverride"))
    unused = {"customWorkflow": not overrides, "categorizationWorkflow": overrides, "routingConfig": overrides}
    for named in _by_key(document, _IN_USERS):
        yield replace(named, is_switched_off=unused.get(str(named.pointer[-1]), False))


def _find_in_endpoint(document: Any) -> Iterator[NamedFile]:
    yield from _by_key(document, _IN_ENDPOINTS)


def _find_in_routing(document: Any) -> Iterator[NamedFile]:
    for category, entry in document.items() if isinstance(document, dict) else ():
        yield from _by_key(entry, {"workflow": Wanted.WORKFLOW}, (category,))


def _find_in_workflow(document: Any) -> Iterator[NamedFile]:
    """A workflow, or settings, which lie in the same folder and have no `nodes`."""
    if isinstance(document, dict) and "nodes" not in document:
        yield from _by_key(document, _IN_SETTINGS)
        return
    nodes = document.get("nodes") if isinstance(document, dict) else document
    variables = document if isinstance(document, dict) else {}
    start: Pointer = ("nodes",) if isinstance(document, dict) else ()
    for position, node in enumerate(nodes if isinstance(nodes, list) else ()):
        if isinstance(node, dict):
            yield from _find_in_node(node, (*start, position), variables)


def _find_in_node(node: dict[str, Any], pointer: Pointer, variables: dict[str, Any]) -> Iterator[NamedFile]:
    for named in _by_key(node, _IN_NODES, pointer):
        yield _through_variable(named, variables)
    folder = node.get("workflowUserFolderOverride")
    shared = folder if isinstance(folder, str) else ""
    for named in _by_key(node, {"workflowName": Wanted.WORKFLOW}, pointer):
        yield replace(named, folder=shared)
    routes = node.get("conditionalWorkflows")
    keys = dict.fromkeys(routes, Wanted.WORKFLOW) if isinstance(routes, dict) else {}
    for named in _by_key(routes, keys, (*pointer, "conditionalWorkflows")):
        yield replace(named, folder=shared)


def _through_variable(named: NamedFile, variables: dict[str, Any]) -> NamedFile:
    """A name that is nothing but a custom variable of the file stands where the variable does (workflows.md §6.6)."""
    match = _VARIABLE.fullmatch(named.name)
    value = variables.get(match.group(1)) if match else None
    endpoint = _VARIABLE.fullmatch(named.endpoint)
    target = variables.get(endpoint.group(1)) if endpoint else named.endpoint
    named = replace(named, endpoint=target if isinstance(target, str) else "")
    if match and isinstance(value, str):
        return replace(named, pointer=(match.group(1),), name=value)
    return named


def _by_key(values: Any, wanted: dict[str, Wanted], pointer: Pointer = ()) -> Iterator[NamedFile]:
    for key, value in values.items() if isinstance(values, dict) else ():
        if key in wanted and isinstance(value, str) and value:
            yield NamedFile((*pointer, key), wanted[key], value, endpoint=_preset_owner(values, key))


def _preset_owner(values: dict[str, Any], key: str) -> str:
    found = (values.get(name) for name in _PRESET_OF.get(key, ()))
    return next((name for name in found if isinstance(name, str) and name), "")


_FINDERS = {
    "Users": _find_in_user,
    "Endpoints": _find_in_endpoint,
    "Routing": _find_in_routing,
    "Workflows": _find_in_workflow,
}
