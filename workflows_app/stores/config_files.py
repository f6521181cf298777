"""Reading the JSON files below `Public/Configs`. Read afresh at every run, as WilmerAI does."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from wilmer_site.lib.errors import NotFoundError
from wilmer_site.lib.files import read_limited
from wilmer_site.lib.ids import UnsafeNameError
from workflows_app.engine.definition import Workflow, parse_workflow
from workflows_app.engine.samplers import merge_presets, translate_samplers
from workflows_app.errors import ConfigInvalidError, ConfigNotFoundError, WorkflowNotFoundError
from workflows_app.stores.config_paths import ConfigPaths
from workflows_app.types import JsonObject, LazyObject, Target

LIMIT_BYTES = 16 * 1024 * 1024


class ConfigFiles:
    """All configs one user can reach."""

    def __init__(self, root: Path, user_name: str = "", *, drafts: Path | None = None) -> None:
        self._root = root
        self._drafts = drafts
        """A folder whose files stand in for those of the same path: unsaved texts of a dry run."""
        self.user_name = user_name or self.read_current_user()
        user = LazyObject(lambda: self.read_user(self.user_name) if self.user_name else {})
        self.paths = ConfigPaths(root, self.user_name, user)

    @property
    def user(self) -> dict[str, Any]:
        """The user's config."""
        return dict(self.paths.user)

    @property
    def shared_folder(self) -> str:
        """Where the workflows are that a model name may choose."""
        return self.paths.shared_folder

    def read_current_user(self) -> str:
        """The user named in `_current-user.json`; empty without that file."""
        try:
            current = self._read_object(ConfigPaths(self._root).current_user_file(), "current user")
        except ConfigNotFoundError:
            return ""
        return str(current.get("currentUser") or "")

    def read_user(self, name: str) -> dict[str, Any]:
        """A user's config. Raises ConfigNotFoundError, ConfigInvalidError."""
        return self._read_object(ConfigPaths(self._root).user_file(name), "user")

    def read_workflow(self, name: str, folder: str = "") -> Workflow:
        """A workflow, parsed. Raises WorkflowNotFoundError, ConfigInvalidError, WorkflowInvalidError."""
        path = self.paths.workflow_file(name, folder)
        try:
            source = path.relative_to(self._root / "Workflows").with_suffix("").as_posix()
            return replace(parse_workflow(name, self._read(path)), source=source)
        except NotFoundError:
            raise WorkflowNotFoundError(
                f"There is no workflow {name!r} at {self._shown(path)}.", path=self._shown(path)
            ) from None

    def list_endpoints(self) -> list[str]:
        """Names of the endpoints that this user's nodes can reach, sorted."""
        folder = self.paths.endpoint_file("any").parent
        return sorted(path.stem for path in folder.glob("*.json"))

    def list_presets(self, target: Target) -> list[str]:
        """Names of the preset files for calls to `target`, and of endpoints with samplers of their own, sorted."""
        places = self.paths.preset_files("any", str(target.api_type.get("presetType", "")))
        files = {path.stem for place in places for path in place.parent.glob("*.json")}
        return sorted(files | {name for name in self.list_endpoints() if self._find_own_samplers(name)})

    def read_settings(self, name: str) -> dict[str, Any]:
        """Memory or compactor settings from the user's workflow folder."""
        return self._read_object(self.paths.workflow_file(name), "settings")

    def read_endpoint(self, name: str) -> dict[str, Any]:
        """An endpoint's config, secrets included."""
        return self._read_object(self.paths.endpoint_file(name), "endpoint")

    def read_api_type(self, name: str) -> dict[str, Any]:
        """An API type's config."""
        return self._read_object(self.paths.api_type_file(name), "API type")

    def read_prompt_template(self, name: str) -> dict[str, Any]:
        """A prompt template."""
        return self._read_object(self.paths.prompt_template_file(name), "prompt template")

    def read_routing(self, name: str) -> dict[str, Any]:
        """A routing file: category → workflow and description, in order."""
        return self._read_object(self.paths.routing_file(name), "routing")

    def read_schema(self, name: str) -> dict[str, Any]:
        """An output schema: a non-empty JSON Schema object."""
        schema = self._read_object(self.paths.schema_file(name), "output schema")
        if not schema:
            raise ConfigInvalidError(f"The output schema {name!r} is empty.")
        return schema

    def read_mcp_server(self, name: str) -> dict[str, Any]:
        """How an MCP server is started or reached."""
        return self._read_object(self.paths.mcp_server_file(name), "MCP server")

    def read_target(self, endpoint_name: str) -> Target:
        """An endpoint with its API type; the prompt template is read when somebody needs it.

        Raises ConfigInvalidError when the endpoint does not say which API type or prompt template it has.
        """
        endpoint = self.read_endpoint(endpoint_name)
        for key in ("apiTypeConfigFileName", "promptTemplate"):
            if key not in endpoint and not self._is_embedding(endpoint):
                raise ConfigInvalidError(f"Endpoint {endpoint_name!r} has no `{key}`.", endpoint=endpoint_name)
        api_type = self.read_api_type(str(endpoint["apiTypeConfigFileName"]))
        template = endpoint.get("promptTemplate") or self.paths.user.get("chatPromptTemplateName")
        lazy = LazyObject(lambda: self.read_prompt_template(str(template)))
        return Target(endpoint_name, endpoint, api_type, lazy)

    def _is_embedding(self, endpoint: JsonObject) -> bool:
        """Whether the endpoint makes vectors and needs no prompt template."""
        name = endpoint.get("apiTypeConfigFileName")
        return bool(name) and str(self.read_api_type(str(name)).get("type", "")).endswith("Embeddings")

    def read_preset(self, name: str, target: Target) -> dict[str, Any]:
        """The samplers of a call to `target`: an endpoint's own, or a preset file, `appendPresetName` laid over it.

        Raises ConfigNotFoundError when neither exists.
        """
        neutral = self._find_own_samplers(name)
        preset = translate_samplers(neutral, target.api_type) if neutral else self.read_preset_file(name, target)
        extra = target.endpoint.get("appendPresetName")
        return merge_presets(preset, self.read_preset_file(str(extra), target)) if extra else preset

    def read_preset_file(self, name: str, target: Target) -> dict[str, Any]:
        """A preset file of the type that `target` takes."""
        path = self.paths.preset_file(name, str(target.api_type.get("presetType", "")))
        return self._read_object(path, "preset")

    def _find_own_samplers(self, endpoint_name: str) -> JsonObject:
        try:
            samplers = self.read_endpoint(endpoint_name).get("presetSamplers")
        except (ConfigNotFoundError, ConfigInvalidError, UnsafeNameError):
            return {}
        return samplers if isinstance(samplers, dict) else {}

    def _read_object(self, path: Path, kind: str) -> dict[str, Any]:
        try:
            value = self._read(path)
        except NotFoundError:
            shown = self._shown(path)
            raise ConfigNotFoundError(f"There is no {kind} at {shown}.", kind=kind, path=shown) from None
        if not isinstance(value, dict):
            raise ConfigInvalidError(f"{self._shown(path)} must be a JSON object.", path=self._shown(path))
        return value

    def _read(self, path: Path) -> Any:
        draft = self._drafts / path.relative_to(self._root) if self._drafts else path
        data = read_limited(draft if draft.is_file() else path, limit_bytes=LIMIT_BYTES)
        try:
            return json.loads(data.decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            raise ConfigInvalidError(
                f"{self._shown(path)} is no JSON: {error}.", path=self._shown(path), reason=str(error)
            ) from None

    def _shown(self, path: Path) -> str:
        return path.relative_to(self._root.parent).as_posix()
