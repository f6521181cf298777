"""The names that a field of a config file may have, for pickers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from wilmer_site.lib.errors import WilmerError
from workflows_app import wiring
from workflows_app.configs.fields import FieldSpec
from workflows_app.configs.kinds import ConfigKind, Reference
from workflows_app.queries.configs import find_config_kind
from workflows_app.queries.pickers import list_names
from workflows_app.stores.config_library import ConfigLibrary, LibraryFile

_AREAS = {
    Reference.SHARED_FOLDER: "Workflows",
    Reference.ENDPOINT_FOLDER: "Endpoints",
    Reference.SCHEMA_FOLDER: "StructuredOutputs",
}
_ENDPOINT_OF = {
    "vectorMemoryPreset": "vectorMemoryEndpointName",
    "condenseMemoriesPreset": "condenseMemoriesEndpointName",
    "backupPresetName": "backupEndpointName",
}


@dataclass(frozen=True, slots=True)
class FieldNames:
    """What the fields of one file may name."""

    library: ConfigLibrary
    user: str
    """For whom names are looked up: a user that has the file, else the one whose config counts."""
    document: Mapping[str, Any]
    folder: str
    """The workflow folder that counts."""

    @classmethod
    def of(cls, file: LibraryFile) -> FieldNames:
        """The names for one file."""
        library = wiring.get_config_library()
        user = _find_owner(file, library)
        document = file.document if isinstance(file.document, dict) else {}
        folder = file.folder if file.area == "Workflows" else _workflow_folder(user)
        return cls(library, user, document, folder)

    def list_for(self, spec: FieldSpec) -> tuple[str, ...]:
        """What a field may be: its choices, or the names of what it refers to; empty for anything."""
        if spec.refers_to is None:
            return tuple(str(choice) for choice in spec.choices)
        found = list_names(spec.refers_to, self.user, self._as_node(spec.name))
        return found or tuple(dict.fromkeys(sorted(self._list(spec.refers_to), key=str.lower)))

    def _as_node(self, name: str) -> Mapping[str, Any]:
        """The file as if it were the node that has the field: presets depend on the endpoint."""
        endpoint = self.document.get(_ENDPOINT_OF.get(name, "")) or self.document.get("endpointName")
        return {"endpointName": endpoint, "workflowUserFolderOverride": self.folder}

    def _list(self, wanted: Reference) -> Iterator[str]:
        if wanted in _AREAS:
            yield from self.library.list_folders(_AREAS[wanted])
        elif wanted in {Reference.PRESET_TYPE, Reference.PRESET_FOLDER}:
            parts = [folder.split("/") for folder in self.library.list_folders("Presets")]
            yield from (part[0] for part in parts if wanted is Reference.PRESET_TYPE)
            yield from (part[1] for part in parts if wanted is Reference.PRESET_FOLDER and len(part) > 1)
        elif wanted is Reference.USER:
            yield from wiring.list_user_names()
        elif wanted in {Reference.MEMORY_SETTINGS, Reference.COMPACTOR_SETTINGS}:
            files = self.library.list_area("Workflows")
            yield from (file.name for file in files if file.folder == self.folder and _is_kind(file, wanted.kind))


def _is_kind(file: LibraryFile, kind: ConfigKind | None) -> bool:
    return find_config_kind(file) is kind


def _workflow_folder(user: str) -> str:
    try:
        return wiring.open_configs(user).paths.workflow_folder
    except WilmerError:
        return user


def _find_owner(file: LibraryFile, library: ConfigLibrary) -> str:
    if file.area == "Users" and not file.folder and not file.name.startswith("_current"):
        return file.name
    key = {"Workflows": "workflowConfigsSubDirectoryOverride", "Endpoints": "endpointConfigsSubDirectory"}.get(
        file.area
    )
    for user in library.list_area("Users") if key and file.folder else ():
        own = user.document.get(key) if isinstance(user.document, dict) else None
        if file.folder == (own or (user.name if file.area == "Workflows" else "")):
            return user.name
    return ""
