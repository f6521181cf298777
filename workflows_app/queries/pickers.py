"""The names that a field may take, for one WilmerAI user."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wilmer_site.lib.errors import WilmerError
from workflows_app import wiring
from workflows_app.configs.kinds import Reference
from workflows_app.stores.config_files import ConfigFiles
from workflows_app.stores.config_library import LibraryFile

MAX_NAMES = 1_000


def list_names(reference: Reference, user: str, node: Mapping[str, Any]) -> tuple[str, ...]:
    """What a field with this reference may name, as the user reaches it; empty where anything may stand."""
    find = _FINDERS.get(reference)
    if find is None:
        return ()
    try:
        return tuple(dict.fromkeys(find(wiring.open_configs(user), node)))[:MAX_NAMES]
    except WilmerError:
        return ()


def _in_folder(area: str, folder: str) -> list[LibraryFile]:
    return [file for file in wiring.get_config_library().list_area(area) if _is_below(file.folder, folder)]


def _is_below(folder: str, wanted: str) -> bool:
    return not wanted or folder == wanted or folder.startswith(f"{wanted}/")


def _name_from(file: LibraryFile, folder: str) -> str:
    """The name as it is looked up from a folder: with the folders between."""
    between = file.folder[len(folder) :].strip("/")
    return f"{between}/{file.name}" if between else file.name


def _endpoints(
    configs: ConfigFiles,
    node: Mapping[str, Any],  # noqa: ARG001
    *,
    embeddings: bool = False,
) -> list[str]:
    folder = str(configs.user.get("endpointConfigsSubDirectory") or "")
    kinds = {file.name: _type_of(file) for file in wiring.get_config_library().list_area("ApiTypes")}
    return [
        _name_from(file, folder)
        for file in _in_folder("Endpoints", folder)
        if kinds.get(_text(file, "apiTypeConfigFileName"), "").endswith("Embeddings") == embeddings
    ]


def _embedding_endpoints(configs: ConfigFiles, node: Mapping[str, Any]) -> list[str]:
    return _endpoints(configs, node, embeddings=True)


def _presets(configs: ConfigFiles, node: Mapping[str, Any]) -> list[str]:
    """Presets of the endpoint's kind, the user's own first, and endpoints with samplers of their own."""
    preset_type = _preset_type(configs, str(node.get("endpointName") or ""))
    own = str(configs.user.get("presetConfigsSubDirectoryOverride") or configs.user_name)
    files = wiring.get_config_library().list_area("Presets")
    folders = (f"{preset_type}/{own}", preset_type)
    names = [file.name for folder in folders for file in files if preset_type and file.folder == folder]
    endpoint_folder = str(configs.user.get("endpointConfigsSubDirectory") or "")
    return names + [
        file.name
        for file in _in_folder("Endpoints", endpoint_folder)
        if isinstance(file.document, dict) and file.document.get("presetSamplers")
    ]


def _preset_type(configs: ConfigFiles, endpoint: str) -> str:
    try:
        return str(configs.read_target(endpoint).api_type.get("presetType") or "") if endpoint else ""
    except WilmerError:
        return ""


def _workflows(configs: ConfigFiles, node: Mapping[str, Any]) -> list[str]:
    folder = str(node.get("workflowUserFolderOverride") or configs.paths.workflow_folder)
    files = [file for file in _in_folder("Workflows", folder) if _is_workflow(file.document)]
    return [_name_from(file, folder) for file in files]


def _is_workflow(document: Any) -> bool:
    return isinstance(document, list) or (isinstance(document, dict) and "nodes" in document)


def _workflow_folders(configs: ConfigFiles, node: Mapping[str, Any]) -> list[str]:  # noqa: ARG001
    return list(wiring.get_config_library().list_folders("Workflows"))


def _names_of(area: str) -> Callable[[ConfigFiles, Mapping[str, Any]], list[str]]:
    def find(configs: ConfigFiles, node: Mapping[str, Any]) -> list[str]:  # noqa: ARG001
        return [_name_from(file, "") for file in wiring.get_config_library().list_area(area)]

    return find


def _schemas(configs: ConfigFiles, node: Mapping[str, Any]) -> list[str]:  # noqa: ARG001
    folder = str(configs.user.get("structuredOutputConfigsSubDirectory") or configs.user_name)
    files = wiring.get_config_library().list_area("StructuredOutputs")
    return [file.name for file in files if file.folder in (folder, "")]


def _type_of(file: LibraryFile) -> str:
    return _text(file, "type")


def _text(file: LibraryFile, key: str) -> str:
    return str(file.document.get(key) or "") if isinstance(file.document, dict) else ""


_FINDERS: Mapping[Reference, Callable[[ConfigFiles, Mapping[str, Any]], list[str]]] = {
    Reference.ENDPOINT: _endpoints,
    Reference.EMBEDDING_ENDPOINT: _embedding_endpoints,
    Reference.PRESET: _presets,
    Reference.WORKFLOW: _workflows,
    Reference.WORKFLOW_FOLDER: _workflow_folders,
    Reference.PROMPT_TEMPLATE: _names_of("PromptTemplates"),
    Reference.API_TYPE: _names_of("ApiTypes"),
    Reference.ROUTING: _names_of("Routing"),
    Reference.MCP_SERVER: _names_of("MCPServers"),
    Reference.STRUCTURED_OUTPUT: _schemas,
}
