"""Runs every rule over a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from workflows_app.configs.documents import Document
from workflows_app.configs.kinds import ConfigKind
from workflows_app.configs.places import routing_file
from workflows_app.lint.change_rules import check_change
from workflows_app.lint.condition_rules import check_condition
from workflows_app.lint.config_rules import (
    check_compactor_settings,
    check_mcp_server,
    check_memory_settings,
    check_preset,
    check_routing,
    check_schema,
)
from workflows_app.lint.endpoint_rules import check_api_type, check_endpoint
from workflows_app.lint.file_rules import check_fields, check_file
from workflows_app.lint.findings import Finding, build_problems
from workflows_app.lint.folder import ConfigFolder
from workflows_app.lint.graph_rules import Graph, check_answers, check_call_names, check_calls, check_unreachable
from workflows_app.lint.lookup import UserView, join
from workflows_app.lint.node_rules import check_node
from workflows_app.lint.reach import Workshop
from workflows_app.lint.reference_rules import (
    Place,
    check_preset_file,
    check_references,
    check_settings,
    list_used_endpoints,
)
from workflows_app.lint.scope import build_scope
from workflows_app.lint.template_rules import check_inputs, check_shadows, check_templates
from workflows_app.lint.user_rules import check_user, check_users
from workflows_app.lint.workflow import WorkflowFile
from workflows_app.lint.workflow_rules import (
    check_effects,
    check_locks,
    check_python_files,
    check_responder,
    check_shape,
    check_titles,
)
from workflows_app.results import Problem, Severity


def check_folder(folder: ConfigFolder, *, only: str = "", user: str | None = None) -> tuple[Problem, ...]:
    """The problems of a folder; of one file with `only`; of what one user reaches with `user`."""
    findings = (finding for finding in _run(folder, user, only) if not only or finding.path == only)
    return build_problems(findings, folder.documents)


def _run(folder: ConfigFolder, user: str | None, only: str) -> Iterator[Finding]:
    workshop = Workshop(folder)
    concerned = _files_of(workshop, user) if user is not None else None
    for document in folder.documents.values():
        if only and document.path != only:
            continue
        if concerned is None or document.path in concerned:
            yield from _check_document(document, folder)
            if document.path in workshop.files:
                yield from _check_workflow(workshop.files[document.path], workshop, user)
    yield from _check_users(workshop, user, only)


def _check_document(document: Document, folder: ConfigFolder) -> Iterator[Finding]:
    yield from check_file(document)
    if document.source is None:
        return
    yield from check_fields(document)
    before = folder.saved.get(document.path)
    if before is not None:
        yield from check_change(before, document, folder)
    check = _CHECKS.get(document.kind) if document.kind else None
    if check is not None and isinstance(document.value, dict):
        yield from check(document, folder)


def _check_workflow(file: WorkflowFile, workshop: Workshop, only_user: str | None) -> Iterator[Finding]:
    if file.document.source is None:
        return
    yield from check_shape(file)
    for node in file.nodes:
        yield from check_node(file.path, node)
        yield from check_condition(file, node)
    yield from check_titles(file)
    yield from check_responder(file)
    yield from check_effects(file)
    yield from check_locks(file)
    yield from check_python_files(file, workshop.folder)
    yield from check_call_names(file)
    yield from check_shadows(file)
    scope = build_scope(file, workshop)
    yield from check_templates(file, scope)
    yield from check_inputs(file, scope)
    yield from check_answers(file, workshop)
    yield from check_unreachable(file, workshop)
    for user in workshop.viewers_of(file.path):
        if only_user is None or user.name.lower() == only_user.lower():
            yield from check_references(file, user)
            yield from check_calls(file, user, workshop)


def _check_users(workshop: Workshop, only_user: str | None, only: str) -> Iterator[Finding]:
    for reach in workshop.reaches:
        user = reach.user
        if only_user is not None and user.name.lower() != only_user.lower():
            continue
        if not only or only == user.document.path:
            yield from check_user(user)
        yield from _check_settings(user)
        yield from _check_endpoints(user, list_used_endpoints(reach, workshop.files))
        graph = Graph(reach, workshop.files)
        yield from graph.check_cycles()
        yield from graph.check_locks()
    if only_user is None:
        yield from check_users(workshop.folder, workshop)


def _check_settings(user: UserView) -> Iterator[Finding]:
    for key in _SETTINGS:
        document = user.folder.find(user.workflow(user.text(key))) if user.text(key) else None
        if document is not None:
            yield from check_settings(document, user)


def _check_endpoints(user: UserView, used: frozenset[str]) -> Iterator[Finding]:
    """What endpoints name that depends on the user: preset files. It only matters where the endpoint is used."""
    for document in user.folder.list_kind(ConfigKind.ENDPOINT):
        if document.folder != user.text("endpointConfigsSubDirectory"):
            continue
        severity = Severity.ERROR if document.path in used else Severity.WARNING
        extra = document.object.get("appendPresetName")
        if isinstance(extra, str) and extra:
            place = Place(user, document.path, ("appendPresetName",))
            yield from check_preset_file(place, extra, document, ("preset-missing", severity))
        backup = user.find_endpoint(str(document.object.get("backupEndpointName") or ""))
        preset = document.object.get("backupPresetName")
        if backup is not None and isinstance(preset, str) and preset:
            place = Place(user, document.path, ("backupPresetName",))
            yield from check_preset_file(place, preset, backup, ("backup-missing", severity))


def _files_of(workshop: Workshop, name: str) -> set[str]:
    """The files that concern one user: the config, what it reaches, its endpoints and their API types."""
    found: set[str] = set()
    for reach in workshop.reaches:
        user = reach.user
        if user.name.lower() != name.lower():
            continue
        found |= {user.document.path, *reach.workflows}
        found |= {start.caller for start in reach.list_calls()}
        found |= {user.workflow(user.text(key)) for key in _SETTINGS}
        found |= _endpoint_files(user)
        found.add(join(*routing_file(user.text("routingConfig"))))
    return found


def _endpoint_files(user: UserView) -> set[str]:
    folder = user.text("endpointConfigsSubDirectory")
    endpoints = [each for each in user.folder.list_kind(ConfigKind.ENDPOINT) if each.folder == folder]
    types = [user.api_type_of(endpoint) for endpoint in endpoints]
    return {document.path for document in (*endpoints, *types) if document is not None}


_SETTINGS: Final = ("discussionIdMemoryFileWorkflowSettings", "contextCompactorSettingsFile")
_Check = Callable[[Document, ConfigFolder], Iterator[Finding]]
_CHECKS: Final[dict[ConfigKind, _Check]] = {
    ConfigKind.ENDPOINT: check_endpoint,
    ConfigKind.API_TYPE: lambda document, _: check_api_type(document),
    ConfigKind.PRESET: check_preset,
    ConfigKind.ROUTING: lambda document, _: check_routing(document),
    ConfigKind.MCP_SERVER: lambda document, _: check_mcp_server(document),
    ConfigKind.MEMORY_SETTINGS: lambda document, _: check_memory_settings(document),
    ConfigKind.COMPACTOR_SETTINGS: lambda document, _: check_compactor_settings(document),
    ConfigKind.STRUCTURED_OUTPUT: lambda document, _: check_schema(document),
}
