"""Which path a name leads to, as one user sees the folder (configs.md §2); nothing here touches the disk."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from wilmer_site.lib.ids import is_plain_name
from workflows_app.configs.documents import Document
from workflows_app.configs.endpoint_models import EMBEDDING_TYPES
from workflows_app.configs.places import DEFAULT_WORKFLOW, ConfigPlaces, api_type_file
from workflows_app.lint.folder import ConfigFolder


@dataclass
class UserView:
    """The folder as one user sees it."""

    folder: ConfigFolder
    document: Document

    @property
    def name(self) -> str:
        """The user's name, as its file is called."""
        return self.document.name

    @cached_property
    def places(self) -> ConfigPlaces:
        """Where the user's names lead."""
        return ConfigPlaces(self.name, self.config)

    @cached_property
    def config(self) -> dict[str, Any]:
        """The user's config."""
        return self.document.object

    def text(self, key: str) -> str:
        """A value of the config as text; empty when absent or no text."""
        value = self.config.get(key)
        return value if isinstance(value, str) else ""

    @cached_property
    def workflow_folder(self) -> str:
        """Where the user's workflows are, below `Workflows`."""
        return self.places.workflow_folder

    @cached_property
    def shared_folder(self) -> str:
        """Where the workflows are that a model name may choose."""
        return self.places.shared_folder

    @cached_property
    def shared_workflows(self) -> list[str]:
        """Paths of the shared workflows this user offers as models."""
        if not self.config.get("allowSharedWorkflows"):
            return []
        top = join("Workflows", self.shared_folder)
        found = [path for path in self.folder.documents if path.startswith(f"{top}/")]
        names = sorted({path[len(top) + 1 :].partition("/")[0] for path in found if "/" in path[len(top) + 1 :]})
        paths = [f"{top}/{name}/{DEFAULT_WORKFLOW}.json" for name in names if not name.startswith("_")]
        return [path for path in paths if path in self.folder.documents]

    def workflow(self, name: str, folder: str = "") -> str:
        """The path of a workflow or of settings."""
        return join(*self.places.workflow(name, folder))

    def endpoint(self, name: str) -> str:
        """The path of an endpoint."""
        return join(*self.places.endpoint(name))

    def find_endpoint(self, name: str) -> Document | None:
        """An endpoint that is there."""
        return self.folder.find(self.endpoint(name)) if name else None

    def api_type_of(self, endpoint: Document) -> Document | None:
        """The API type of an endpoint, if it is there."""
        return find_api_type(self.folder, endpoint)

    def preset_files(self, name: str, preset_type: str) -> tuple[str, str]:
        """Where a preset file may be: the user's folder, then that of the type."""
        own, common = self.places.presets(name, preset_type)
        return join(*own), join(*common)

    def find_preset_file(self, name: str, preset_type: str) -> str | None:
        """The path of the preset file that counts."""
        return next((path for path in self.preset_files(name, preset_type) if path in self.folder.documents), None)

    def schema_files(self, name: str) -> tuple[str, str]:
        """Where an output schema may be."""
        own, common = self.places.schemas(name)
        return join(*own), join(*common)


def find_api_type(folder: ConfigFolder, endpoint: Document) -> Document | None:
    """The API type file that an endpoint names."""
    name = endpoint.object.get("apiTypeConfigFileName")
    return folder.find(join(*api_type_file(name))) if isinstance(name, str) and name else None


def is_embeddings(api_type: Document | None) -> bool:
    """Whether servers of this type make vectors."""
    return api_type is not None and api_type.object.get("type") in EMBEDDING_TYPES


def join(*parts: str) -> str:
    """A path below `Configs`, dots worked out; it begins with `..` when it leads out."""
    return posixpath.normpath("/".join(part.strip("/") for part in parts if part))


def leads_out(path: str) -> bool:
    """Whether a path is not below `Configs`."""
    return path.startswith("..")


def is_plain(name: str) -> bool:
    """Whether a name has no path parts."""
    return is_plain_name(name)
