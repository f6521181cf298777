"""Rules for what nodes and settings name, as each user's folders resolve it (configs.md §12, §13.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from workflows_app.configs.documents import Document
from workflows_app.configs.places import mcp_server_file
from workflows_app.configs.source import Pointer
from workflows_app.engine.templates import resolve_early
from workflows_app.lint.endpoint_rules import check_exists
from workflows_app.lint.findings import Finding
from workflows_app.lint.lookup import UserView, is_embeddings, is_plain, join, leads_out
from workflows_app.lint.node_facts import ASKS_MODEL, TOOL_OF, is_manual_summary, makes_memories
from workflows_app.lint.reach import Reach
from workflows_app.lint.template_rules import check_prompt_clamp
from workflows_app.lint.user_rules import where_else
from workflows_app.lint.workflow import Node, WorkflowFile
from workflows_app.results import Severity

E, W, H = Severity.ERROR, Severity.WARNING, Severity.HINT


@dataclass(frozen=True, slots=True)
class Place:
    """Where a name stands, and for which user it is looked up."""

    user: UserView
    path: str
    at: Pointer

    def finding(self, code: str, message: str, mend: str = "", severity: Severity | None = None) -> Finding:
        """A finding at this place."""
        return Finding(code, self.path, self.at, message, mend, severity, self.user.name)


def check_references(file: WorkflowFile, user: UserView) -> Iterator[Finding]:
    """Everything the nodes of a workflow name, for one user."""
    for node in file.nodes:
        yield from _check_model(file, node, user)
        embedding = node.values.get("embeddingEndpointName")
        if "embeddingEndpointName" in node.fields and isinstance(embedding, str) and embedding:
            yield from check_embedding(Place(user, file.path, node.pointer("embeddingEndpointName")), embedding)
        yield from _check_needs(file, node, user)
        if node.type == "MCPToolCall":
            yield from _check_server(Place(user, file.path, node.pointer("server")), node.values.get("server"))
        schema = node.values.get("structuredOutputFile")
        if isinstance(schema, str) and schema and "structuredOutputFile" in node.fields:
            yield from _check_schema(Place(user, file.path, node.pointer("structuredOutputFile")), schema)


def check_settings(document: Document, user: UserView) -> Iterator[Finding]:
    """Endpoints, presets and workflows that memory or compactor settings name."""
    values = document.object
    for prefix in ("", "vectorMemory", "condenseMemories"):
        endpoint_key = f"{prefix}EndpointName" if prefix else "endpointName"
        preset_key = f"{prefix}Preset" if prefix else "preset"
        # An empty name stands for that of file memories.
        name = values.get(endpoint_key) or values.get("endpointName")
        endpoint = None
        if isinstance(name, str) and name:
            at = Place(user, document.path, (endpoint_key,))
            if values.get(endpoint_key):
                yield from check_endpoint_name(at, name)
            endpoint = user.find_endpoint(name)
        preset = values.get(preset_key)
        if endpoint is not None and isinstance(preset, str) and preset:
            yield from check_preset_name(Place(user, document.path, (preset_key,)), preset, endpoint)
    embedding = values.get("embeddingEndpointName")
    if isinstance(embedding, str) and embedding:
        yield from check_embedding(Place(user, document.path, ("embeddingEndpointName",)), embedding)
    for key in ("fileMemoryWorkflowName", "vectorMemoryWorkflowName", "stateDocumentWorkflowName"):
        if isinstance(values.get(key), str) and values[key]:
            yield from check_workflow_name(Place(user, document.path, (key,)), values[key], "")


def check_workflow_name(place: Place, name: str, folder: str) -> Iterator[Finding]:
    """A workflow by name; one with variables is told of elsewhere."""
    if "{" in name or "{" in folder:
        return
    path = place.user.workflow(name, folder)
    if leads_out(path):
        yield place.finding("name-unsafe", f"{name!r} leads out of the configs folder.")
        return
    missing = place.finding("workflow-missing", f"There is no {path}.", where_else(place.user.folder, path))
    yield from check_exists(place.user.folder, path, missing)


def check_endpoint_name(place: Place, name: str) -> Iterator[Finding]:
    """A text endpoint by name."""
    path = place.user.endpoint(name)
    if leads_out(path):
        yield place.finding("name-unsafe", f"{name!r} leads out of the configs folder.")
        return
    missing = place.finding("endpoint-missing", f"There is no {path}.", where_else(place.user.folder, path))
    yield from check_exists(place.user.folder, path, missing)
    endpoint = place.user.folder.find(path)
    if endpoint is not None and is_embeddings(place.user.api_type_of(endpoint)):
        yield place.finding(
            "endpoint-is-embeddings",
            f"{name} makes embeddings; it cannot answer.",
            "Choose an endpoint that gives text.",
        )


def check_embedding(place: Place, name: str) -> Iterator[Finding]:
    """An embeddings endpoint by name."""
    if "{" in name:
        return
    path = place.user.endpoint(name)
    missing = place.finding("endpoint-missing", f"There is no {path}.", where_else(place.user.folder, path))
    yield from check_exists(place.user.folder, path, missing)
    endpoint = place.user.folder.find(path)
    api_type = place.user.api_type_of(endpoint) if endpoint else None
    if api_type is not None and not is_embeddings(api_type):
        yield place.finding(
            "endpoint-not-embeddings",
            f"{name} gives text; it cannot make embeddings.",
            "Choose an endpoint whose API type is for embeddings.",
        )


def check_preset_name(place: Place, name: str, endpoint: Document) -> Iterator[Finding]:
    """A preset by name, for calls to an endpoint: an endpoint with samplers of that name, else a preset file."""
    user = place.user
    source = user.find_endpoint(name) if is_plain(name) else None
    if source is not None and source.object.get("presetSamplers"):
        return
    api_type = user.api_type_of(endpoint)
    if api_type is None:
        return
    preset_type = str(api_type.object.get("presetType") or "")
    file = user.find_preset_file(name, preset_type)
    if source is not None:
        yield _empty_samplers(place, name, file)
    elif file is None:
        wanted = user.preset_files(name, preset_type)[1]
        missing = place.finding(
            "preset-missing",
            f"There is no preset {name!r} for {preset_type or 'this API type'}.",
            where_else(user.folder, wanted),
        )
        yield from check_exists(user.folder, wanted, missing)


def check_preset_file(place: Place, name: str, endpoint: Document, how: tuple[str, Severity]) -> Iterator[Finding]:
    """A preset that must be a file or, for a backup, may be an endpoint with samplers; `how` is code and severity."""
    code, severity = how
    if code == "backup-missing":
        source = place.user.find_endpoint(name) if is_plain(name) else None
        if source is not None and source.object.get("presetSamplers"):
            return
    api_type = place.user.api_type_of(endpoint)
    if api_type is None:
        return
    preset_type = str(api_type.object.get("presetType") or "")
    if place.user.find_preset_file(name, preset_type) is None:
        wanted = place.user.preset_files(name, preset_type)[1]
        yield from check_exists(place.user.folder, wanted, place.finding(code, f"There is no {wanted}.", "", severity))


def _empty_samplers(place: Place, name: str, file: str | None) -> Finding:
    if file is None:
        return place.finding(
            "preset-empty-samplers",
            f"The endpoint {name} has no samplers, and there is no preset file.",
            "Give it `presetSamplers`.",
            E,
        )
    return place.finding("preset-empty-samplers", f"The endpoint {name} has no samplers, so {file} is used.")


def list_used_endpoints(reach: Reach, files: Mapping[str, WorkflowFile]) -> frozenset[str]:
    """Paths of the endpoints that a user's workflows and settings name."""
    user = reach.user
    names = {
        resolve_name(files[path], node.values.get(key))
        for path in reach.workflows
        if path in files
        for node in files[path].nodes
        for key in ("endpointName", "embeddingEndpointName")
    }
    for key in ("discussionIdMemoryFileWorkflowSettings", "contextCompactorSettingsFile"):
        settings = user.folder.find(user.workflow(user.text(key))) if user.text(key) else None
        values = settings.object if settings else {}
        names |= {str(value) for name, value in values.items() if name.lower().endswith("endpointname") and value}
    return frozenset(user.endpoint(name) for name in names if name)


def resolve_name(file: WorkflowFile, value: Any) -> str:
    """A name with the workflow's own variables filled in; empty when it cannot be known before a run."""
    if not isinstance(value, str) or not value:
        return ""
    name = resolve_early(value, file.variables) if "{" in value else value
    return "" if "{" in name else name


def _check_model(file: WorkflowFile, node: Node, user: UserView) -> Iterator[Finding]:
    name = resolve_name(file, node.values.get("endpointName"))
    if not name:
        return
    yield from check_endpoint_name(Place(user, file.path, node.pointer("endpointName")), name)
    endpoint = user.find_endpoint(name)
    preset = resolve_name(file, node.values.get("preset"))
    if endpoint is None or node.type not in ASKS_MODEL or is_embeddings(user.api_type_of(endpoint)):
        return
    if preset:
        yield from check_preset_name(Place(user, file.path, node.pointer("preset")), preset, endpoint)
    yield from _check_sizes(Place(user, file.path, node.pointer("maxResponseSizeInTokens")), file, node, endpoint)
    yield from check_prompt_clamp(file, node, _clamps(node.values, endpoint.object, user.config))


def _check_sizes(place: Place, file: WorkflowFile, node: Node, endpoint: Document) -> Iterator[Finding]:
    size, window = node.values.get("maxResponseSizeInTokens"), endpoint.object.get("maxContextTokenSize")
    if isinstance(size, str):
        size = resolve_early(size, file.variables)
        size = int(size) if size.strip().isdecimal() else None
    if isinstance(size, int) and isinstance(window, int) and size >= window:
        yield place.finding(
            "tokens-exceed-window",
            f"The answer may have {size:,} tokens, but {endpoint.name} has a context of {window:,}.",
            "Leave room for the prompt.",
        )


def _clamps(*sources: Mapping[str, Any]) -> bool:
    for source in sources:
        value = source.get("clampPromptToContextWindow")
        if value is not None:
            return value.strip().lower() in ("true", "1", "yes", "on") if isinstance(value, str) else bool(value)
    return False


def _check_needs(file: WorkflowFile, node: Node, user: UserView) -> Iterator[Finding]:
    place = Place(user, file.path, node.pointer("type"))
    key = TOOL_OF.get(node.type)
    if key and not is_manual_summary(node) and not user.text(key):
        yield place.finding(
            "tool-workflow-missing", f"{node.type} needs the user's `{key}`, which is empty.", "Name a workflow there."
        )
    setting = "contextCompactorSettingsFile" if node.type == "ContextCompactor" else ""
    if makes_memories(node):
        setting = "discussionIdMemoryFileWorkflowSettings"
    # A file that is named but missing is told of in the user's config.
    if setting and not user.text(setting):
        yield place.finding(
            "settings-missing",
            f"{node.type} needs the user's `{setting}`, which is empty.",
            "Name a settings file there.",
        )


def _check_server(place: Place, name: Any) -> Iterator[Finding]:
    if not isinstance(name, str) or not name or "{" in name:
        return
    if not is_plain(name):
        yield place.finding("name-unsafe", f"{name!r} has path parts; only plain names of MCP servers work.")
        return
    path = join(*mcp_server_file(name))
    missing = place.finding("mcp-missing", f"There is no {path}.", where_else(place.user.folder, path))
    yield from check_exists(place.user.folder, path, missing)


def _check_schema(place: Place, name: str) -> Iterator[Finding]:
    if not is_plain(name):
        yield place.finding("name-unsafe", f"{name!r} has path parts; only plain names of output schemas work.")
        return
    own, common = place.user.schema_files(name)
    if own not in place.user.folder.documents:
        yield from check_exists(place.user.folder, common, place.finding("schema-missing", f"There is no {common}."))
