"""The kinds of files below `Public/Configs`, and which file is of which kind (configs.md §1, §2)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Any, Final

CURRENT_USER_FILE: Final = "_current-user.json"


class ConfigKind(StrEnum):
    """What a config file is."""

    WORKFLOW = "workflow"
    MEMORY_SETTINGS = "memory-settings"
    COMPACTOR_SETTINGS = "compactor-settings"
    USER = "user"
    CURRENT_USER = "current-user"
    ENDPOINT = "endpoint"
    API_TYPE = "api-type"
    PRESET = "preset"
    PROMPT_TEMPLATE = "prompt-template"
    ROUTING = "routing"
    MCP_SERVER = "mcp-server"
    STRUCTURED_OUTPUT = "structured-output"

    @property
    def folder(self) -> str:
        """The folder below `Configs` where such files lie."""
        return _FOLDERS[self]

    @property
    def label(self) -> str:
        """What people call one such file."""
        return _TITLES.get(self, self.value.replace("-", " ").capitalize())


class Reference(StrEnum):
    """What the value of a field names."""

    WORKFLOW = "workflow"
    ENDPOINT = "endpoint"
    EMBEDDING_ENDPOINT = "embedding-endpoint"
    PRESET = "preset"
    API_TYPE = "api-type"
    PROMPT_TEMPLATE = "prompt-template"
    ROUTING = "routing"
    MCP_SERVER = "mcp-server"
    STRUCTURED_OUTPUT = "structured-output"
    MEMORY_SETTINGS = "memory-settings"
    COMPACTOR_SETTINGS = "compactor-settings"
    USER = "user"
    WORKFLOW_FOLDER = "workflow-folder"
    SHARED_FOLDER = "shared-folder"
    ENDPOINT_FOLDER = "endpoint-folder"
    PRESET_FOLDER = "preset-folder"
    PRESET_TYPE = "preset-type"
    SCHEMA_FOLDER = "schema-folder"
    PATH = "path"

    @property
    def kind(self) -> ConfigKind | None:
        """The kind of file that is named; None for folders and paths."""
        if self is Reference.EMBEDDING_ENDPOINT:
            return ConfigKind.ENDPOINT
        return ConfigKind(self.value) if self.value in list(ConfigKind) else None


_FOLDERS: Final[dict[ConfigKind, str]] = {
    ConfigKind.WORKFLOW: "Workflows",
    ConfigKind.MEMORY_SETTINGS: "Workflows",
    ConfigKind.COMPACTOR_SETTINGS: "Workflows",
    ConfigKind.USER: "Users",
    ConfigKind.CURRENT_USER: "Users",
    ConfigKind.ENDPOINT: "Endpoints",
    ConfigKind.API_TYPE: "ApiTypes",
    ConfigKind.PRESET: "Presets",
    ConfigKind.PROMPT_TEMPLATE: "PromptTemplates",
    ConfigKind.ROUTING: "Routing",
    ConfigKind.MCP_SERVER: "MCPServers",
    ConfigKind.STRUCTURED_OUTPUT: "StructuredOutputs",
}
_TITLES: Final = {
    ConfigKind.API_TYPE: "API type",
    ConfigKind.MCP_SERVER: "MCP server",
    ConfigKind.STRUCTURED_OUTPUT: "Output schema",
    ConfigKind.MEMORY_SETTINGS: "Memory settings",
    ConfigKind.COMPACTOR_SETTINGS: "Compactor settings",
}
_BY_FOLDER: Final = {
    folder: kind
    for kind, folder in _FOLDERS.items()
    if kind not in (ConfigKind.MEMORY_SETTINGS, ConfigKind.COMPACTOR_SETTINGS, ConfigKind.CURRENT_USER)
}
_COMPACTOR_KEYS: Final = frozenset(
    {"recentContextTokens", "oldContextTokens", "oldSectionPrompt", "neutralSummaryPrompt", "oldestUpdatePrompt"}
)
_MEMORY_KEYS: Final = frozenset(
    {
        "useVectorForQualityMemory",
        "chunkEstimatedTokenSize",
        "maxMessagesBetweenChunks",
        "vectorMemoryChunkEstimatedTokenSize",
        "vectorMemoryMaxMessagesBetweenChunks",
        "vectorMemoryWorkflowName",
        "fileMemoryWorkflowName",
        "condenseMemories",
        "useStateDocument",
        "embeddingEndpointName",
    }
)


def find_kind(path: PurePosixPath, document: Any = None) -> ConfigKind | None:
    """The kind of a file by its path below `Configs`; None for a file that is no config.

    Settings lie among the workflows. They are told by their content when it is given (an object without `nodes`),
    else by their customary names. A user's config may name any file; `ConfigFolder` sees to that.
    """
    if path.suffix.lower() != ".json" or len(path.parts) < 2:
        return None
    kind = _BY_FOLDER.get(path.parts[0])
    if kind is ConfigKind.USER and path.name == CURRENT_USER_FILE:
        return ConfigKind.CURRENT_USER
    if kind is not ConfigKind.WORKFLOW:
        return kind
    return _kind_by_name(path) if document is None else _kind_by_content(path, document)


def name_of(path: PurePosixPath) -> str:
    """The name other files call this one by, as far as its path says: without `.json`."""
    return path.name.removesuffix(".json")


def _kind_by_name(path: PurePosixPath) -> ConfigKind:
    name = path.stem.lower()
    if "settings" not in name:
        return ConfigKind.WORKFLOW
    return ConfigKind.COMPACTOR_SETTINGS if "compactor" in name else ConfigKind.MEMORY_SETTINGS


def _kind_by_content(path: PurePosixPath, document: Any) -> ConfigKind:
    if not isinstance(document, Mapping) or "nodes" in document:
        return ConfigKind.WORKFLOW
    if not document.keys().isdisjoint(_COMPACTOR_KEYS):
        return ConfigKind.COMPACTOR_SETTINGS
    return _kind_by_name(path) if document.keys().isdisjoint(_MEMORY_KEYS) else ConfigKind.MEMORY_SETTINGS
