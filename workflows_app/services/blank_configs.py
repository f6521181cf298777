"""New config files, begun from what their kind needs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from wilmer_site.lib.errors import WilmerError
from wilmer_site.lib.ids import is_plain_name
from workflows_app import wiring
from workflows_app.configs.kinds import ConfigKind
from workflows_app.errors import ConfigInvalidError
from workflows_app.queries.config_plans import path_beside
from workflows_app.services.config_files import ConfigChange, create_config
from workflows_app.starters.blanks import BLANKS, Blank

MAX_FOLDERS = 4
WITHOUT_FOLDERS = frozenset({ConfigKind.USER, ConfigKind.MCP_SERVER})
"""Kinds that are looked up by plain names (configs.md §2)."""
NEED_A_FOLDER = {
    ConfigKind.PRESET: "Name the preset type, which is a folder of its own; it may be followed by a user's folder.",
    ConfigKind.MEMORY_SETTINGS: "Name the workflow folder of the user whose settings these are.",
    ConfigKind.COMPACTOR_SETTINGS: "Name the workflow folder of the user whose settings these are.",
}
"""Kinds that are never found outside of a folder, each with what is missing."""


@dataclass(frozen=True, slots=True)
class BlankRequest:
    """What is to be made."""

    kind: ConfigKind
    name: str
    folder: str = ""
    """Below the kind's own folder; empty for none."""
    blank: str = ""
    """`Blank.slug`; empty for the first."""


def create_blank(request: BlankRequest, *, author: str) -> ConfigChange:
    """Make the file. Raises ConfigInvalidError for a name or folder that none may have, ConfigChangedError."""
    path = blank_path(request)
    reason = "just begun, to be filled in"
    return create_config(path, format_document(_fill(find_blank(request))), author=author, insist_reason=reason)


def blank_path(request: BlankRequest) -> str:
    """Where the file will be. Raises ConfigInvalidError."""
    parts = [part for part in request.folder.strip().split("/") if part]
    if len(parts) > MAX_FOLDERS or not all(is_plain_name(part) and not part.startswith(".") for part in parts):
        raise ConfigInvalidError(f"{request.folder[:60]!r} is not a usable folder.", field="folder")
    if parts and request.kind in WITHOUT_FOLDERS:
        raise ConfigInvalidError(f"WilmerAI finds nothing in folders below {request.kind.folder}.", field="folder")
    if not parts and request.kind in NEED_A_FOLDER:
        raise ConfigInvalidError(NEED_A_FOLDER[request.kind], field="folder")
    return path_beside("/".join([request.kind.folder, *parts, "x.json"]), request.name)


def find_blank(request: BlankRequest) -> Blank:
    """What the file begins with. Raises ConfigInvalidError for an unknown one."""
    blanks = BLANKS.get(request.kind, ())
    found = next((blank for blank in blanks if request.blank in {"", blank.slug}), None)
    if found is None:
        raise ConfigInvalidError(f"There is nothing called {request.blank[:60]!r} to begin with.", field="blank")
    return found


def suggest_folder(kind: ConfigKind) -> str:
    """The folder in which the user whose config counts would look."""
    try:
        configs = wiring.open_configs()
        values = configs.user
    except WilmerError:
        return ""
    if kind.folder == "Workflows":
        return configs.paths.workflow_folder
    key = {"Endpoints": "endpointConfigsSubDirectory"}.get(kind.folder, "")
    return str(values.get(key) or "")


def format_document(document: Any) -> str:
    """A document as a file of ours is written: four spaces, letters as they are."""
    return json.dumps(document, indent=4, ensure_ascii=False) + "\n"


def _fill(blank: Blank) -> dict[str, Any]:
    """An endpoint names the API type that speaks its language, if there is one."""
    document = dict(blank.document)
    wanted = _WIRE.get(blank.slug)
    if "apiTypeConfigFileName" in document and wanted:
        names = [file.name for file in wiring.get_config_library().list_area("ApiTypes") if _type(file) == wanted]
        document["apiTypeConfigFileName"] = names[0] if names else ""
    return document


_WIRE = {
    "openai": "openAIChatCompletion",
    "ollama": "ollamaApiChat",
    "kobold": "koboldCppGenerate",
    "claude": "claudeMessages",
    "embeddings": "openAIEmbeddings",
}


def _type(file: Any) -> str:
    return str(file.document.get("type")) if isinstance(file.document, dict) else ""
