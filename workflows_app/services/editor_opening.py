"""What the editor's page needs beside the text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from memory.results import ApiKeys
from workflows_app import wiring
from workflows_app.engine.config_secrets import mask_text
from workflows_app.engine.line_ends import as_shown
from workflows_app.queries.editing import EditorRequest
from workflows_app.queries.palette import PaletteFamily, list_palette
from workflows_app.queries.workflows import choose_user, list_users
from workflows_app.results import ConfigDocument, ConfigVersionCard
from workflows_app.services import config_versions
from workflows_app.services.config_saving import read_config
from workflows_app.services.workflow_editing import Edited

MAX_DISCUSSIONS = 500


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Choices and facts of the page that no step changes."""

    users: tuple[str, ...]
    discussions: tuple[str, ...]
    """Those whose messages the console has."""
    palette: tuple[PaletteFamily, ...]
    newest: ConfigVersionCard | None
    is_read_only: bool


def open_file(path: str, wanted: Mapping[str, str], keys: ApiKeys) -> EditorRequest:
    """A file to be edited, its secrets masked; its content is kept as a version if it is not one yet.

    `wanted` may name `node` (from 1) or `at` (a JSON Pointer), `user` and `discussion`. Raises as `read_config`.
    """
    document = read_config(path)
    config_versions.keep_opened(path)
    return EditorRequest(
        path=path,
        text=as_shown(mask_text(path, document.text)),
        etag=document.etag,
        node=_find_node(wanted),
        user=wanted.get("user", "")[:300] or choose_user(_folder_of(path)),
        discussion=wanted.get("discussion", _first_discussion())[:1000],
        keys=keys,
    )


def masked_text(document: ConfigDocument) -> str:
    """The text of a file as it may be shown, with its own line ends."""
    return mask_text(document.path, document.text)


def surroundings(path: str) -> Surroundings:
    """Users, discussions and node types to choose from."""
    versions = config_versions.list_versions(path, limit=1)
    return Surroundings(
        users=tuple(list_users()),
        discussions=tuple(_discussions()),
        palette=list_palette(),
        newest=versions[0] if versions else None,
        is_read_only=wiring.is_read_only(),
    )


def with_step(asked: EditorRequest, edited: Edited) -> EditorRequest:
    """The same place with the text after a step."""
    return replace(asked, text=edited.text, node=edited.node)


def _find_node(wanted: Mapping[str, str]) -> int:
    """The 0-based position of the node that is asked for; 0 for none."""
    steps = wanted.get("at", "").split("/")[1:]
    pointed = next((step for step in steps if step != "nodes"), "")
    number = wanted.get("node", "")
    if number.isascii() and number.isdigit() and len(number) < 7:
        return max(0, int(number) - 1)
    return int(pointed) if pointed.isascii() and pointed.isdigit() and len(pointed) < 7 else 0


def _folder_of(path: str) -> str:
    return path.removeprefix("Workflows/").rpartition("/")[0]


def _discussions() -> list[str]:
    return [ref.text for ref in wiring.list_transcript_refs()[:MAX_DISCUSSIONS]]


def _first_discussion() -> str:
    return next(iter(_discussions()), "")
