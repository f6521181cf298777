"""The files on disk that names lead to, by the rules of `workflows_app.configs.places`."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wilmer_site.lib.ids import UnsafeNameError, is_plain_name
from workflows_app.configs import places
from workflows_app.configs.places import DEFAULT_WORKFLOW, ConfigPlaces
from workflows_app.errors import ConfigInvalidError


@dataclass(frozen=True, slots=True)
class ConfigPaths:
    """The files below one configs folder, as one user sees them."""

    root: Path
    user_name: str = ""
    user: Mapping[str, Any] = field(default_factory=dict)
    """The user's config; its folder overrides count."""

    def user_file(self, name: str) -> Path:
        """`Users/<name in lower case>.json`."""
        return self._inside(*places.user_file(name))

    def current_user_file(self) -> Path:
        """The file that names the user when nobody else does."""
        return self._inside(*places.current_user_file())

    def workflow_file(self, name: str, folder: str = "") -> Path:
        """A workflow, memory settings or compactor settings; `folder` is the node's override."""
        return self._inside(*self._places.workflow(name, folder))

    @property
    def workflow_folder(self) -> str:
        """Where this user's workflows are."""
        return self._places.workflow_folder

    @property
    def shared_folder(self) -> str:
        """Where the workflows that a model name may choose are."""
        return self._places.shared_folder

    def shared_workflow_file(self, folder: str) -> Path:
        """The workflow that a model name chose."""
        return self.workflow_file(DEFAULT_WORKFLOW, f"{self.shared_folder}/{folder}")

    def list_shared_folders(self) -> list[str]:
        """Folders that a model name may choose, sorted, those with a leading underscore left out."""
        root = self._inside("Workflows", self.shared_folder)
        if not root.is_dir():
            return []
        return sorted(entry.name for entry in root.iterdir() if entry.is_dir() and not entry.name.startswith("_"))

    def has_shared_folder(self, folder: str) -> bool:
        """Whether a model name may choose this folder."""
        return is_plain_name(folder) and self._inside("Workflows", self.shared_folder, folder).is_dir()

    def memory_settings_file(self) -> Path:
        """The user's memory settings, which lie among the workflows."""
        return self.workflow_file(str(self.user.get("discussionIdMemoryFileWorkflowSettings") or ""))

    def compactor_settings_file(self) -> Path:
        """The user's compactor settings, which lie among the workflows."""
        return self.workflow_file(str(self.user.get("contextCompactorSettingsFile") or ""))

    def lock_database(self) -> Path:
        """The SQLite file of the user's workflow locks; the user config may put it anywhere."""
        folder = self.user.get("sqlLiteDirectory")
        return Path(str(folder) if folder else self.root.parent / "SqlLiteDBs") / f"WilmerDb.{self.user_name}.sqlite"

    def endpoint_file(self, name: str) -> Path:
        """An endpoint in the user's endpoint folder."""
        return self._inside(*self._places.endpoint(name))

    def preset_files(self, name: str, preset_type: str) -> tuple[Path, Path]:
        """Where a preset may be: the user's folder first, then the folder of the type."""
        own, common = self._places.presets(name, preset_type)
        return self._inside(*own), self._inside(*common)

    def preset_file(self, name: str, preset_type: str) -> Path:
        """The preset that counts; the fallback's path when neither exists."""
        first, fallback = self.preset_files(name, preset_type)
        return first if first.exists() else fallback

    def api_type_file(self, name: str) -> Path:
        """An API type."""
        return self._inside(*places.api_type_file(name))

    def prompt_template_file(self, name: str) -> Path:
        """A prompt template."""
        return self._inside(*places.prompt_template_file(name))

    def routing_file(self, name: str) -> Path:
        """A routing file."""
        return self._inside(*places.routing_file(name))

    def mcp_server_file(self, name: str) -> Path:
        """An MCP server; plain names only."""
        return self._inside(*places.mcp_server_file(_plain(name, "MCP server")))

    def schema_file(self, name: str) -> Path:
        """An output schema: the user's folder first; plain names only."""
        own, common = self._places.schemas(_plain(name, "output schema"))
        first = self._inside(*own)
        return first if first.exists() else self._inside(*common)

    @property
    def _places(self) -> ConfigPlaces:
        return ConfigPlaces(self.user_name, self.user)

    def _inside(self, *parts: str) -> Path:
        """A path that stays below the configs folder, whatever the names say."""
        path = self.root.joinpath(*[part for part in parts if part])
        if not _can_exist(path):
            raise UnsafeNameError(f"{'/'.join(parts)[:120]!r} is no name that a file can have.")
        if not path.resolve().is_relative_to(self.root.resolve()):
            raise UnsafeNameError(f"{'/'.join(parts)!r} leads out of the configs folder.")
        return path


def _can_exist(path: Path) -> bool:
    """Whether the file system can be asked: no name with a NUL in it, or too long."""
    try:
        path.stat()
    except FileNotFoundError:
        return True
    except ValueError:
        return False
    except OSError as error:
        return error.errno != errno.ENAMETOOLONG
    return True


def _plain(name: str, kind: str) -> str:
    if not is_plain_name(name):
        raise ConfigInvalidError(
            f"{name!r} is no plain name of an {kind}: it must not contain / \\ : or be dots alone."
        )
    return name
