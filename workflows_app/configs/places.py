"""Which file a name leads to, as parts of a path below `Configs` (configs.md §2, workflows.md §1).

One place for every rule of look-up: files on disk are found by it, and so are those that checks have in memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from workflows_app.configs.kinds import CURRENT_USER_FILE

DEFAULT_WORKFLOW: Final = "_DefaultWorkflow"
SHARED_FOLDER: Final = "_shared"

Parts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConfigPlaces:
    """The places one user's names lead to; whether anything is there is not known here."""

    user_name: str = ""
    user: Mapping[str, Any] = field(default_factory=dict)
    """The user's config; its folder overrides count."""

    @property
    def workflow_folder(self) -> str:
        """Where this user's workflows are."""
        return str(self.user.get("workflowConfigsSubDirectoryOverride") or self.user_name)

    @property
    def shared_folder(self) -> str:
        """Where the workflows that a model name may choose are."""
        return str(self.user.get("sharedWorkflowsSubDirectoryOverride") or SHARED_FOLDER)

    def workflow(self, name: str, folder: str = "") -> Parts:
        """A workflow, memory settings or compactor settings; `folder` is the node's override."""
        return "Workflows", folder or self.workflow_folder, f"{name}.json"

    def endpoint(self, name: str) -> Parts:
        """An endpoint in the user's endpoint folder."""
        return "Endpoints", str(self.user.get("endpointConfigsSubDirectory") or ""), f"{name}.json"

    def presets(self, name: str, preset_type: str) -> tuple[Parts, Parts]:
        """Where a preset may be: the user's folder first, then the folder of the type."""
        own = str(self.user.get("presetConfigsSubDirectoryOverride") or self.user_name)
        return ("Presets", preset_type, own, f"{name}.json"), ("Presets", preset_type, f"{name}.json")

    def schemas(self, name: str) -> tuple[Parts, Parts]:
        """Where an output schema may be: the user's folder first."""
        own = str(self.user.get("structuredOutputConfigsSubDirectory") or self.user_name)
        return ("StructuredOutputs", own, f"{name}.json"), ("StructuredOutputs", f"{name}.json")


def user_file(name: str) -> Parts:
    """A user's config: its name in lower case."""
    return "Users", f"{name.lower()}.json"


def current_user_file() -> Parts:
    """The file that names the user when nobody else does."""
    return "Users", CURRENT_USER_FILE


def api_type_file(name: str) -> Parts:
    """An API type."""
    return "ApiTypes", f"{name}.json"


def prompt_template_file(name: str) -> Parts:
    """A prompt template."""
    return "PromptTemplates", f"{name}.json"


def routing_file(name: str) -> Parts:
    """A routing file."""
    return "Routing", f"{name}.json"


def mcp_server_file(name: str) -> Parts:
    """An MCP server, whose name must be plain."""
    return "MCPServers", f"{name}.json"
