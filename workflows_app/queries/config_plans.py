"""What renaming or deleting a config file would come to, before anything is done."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from memory.queries.discussions import count_chips
from memory.results import DiscussionFilter
from wilmer_site.lib.ids import is_plain_name
from workflows_app.configs.places import DEFAULT_WORKFLOW
from workflows_app.engine.config_references import Pointer
from workflows_app.errors import ConfigInvalidError
from workflows_app.queries.references import CURRENT_USER, Mention, Reference, ReferenceMap, get_reference_map

MAX_NAME = 120
_USER_FOLDERS = (
    ("workflowConfigsSubDirectoryOverride", "Workflows"),
    ("presetConfigsSubDirectoryOverride", "Presets"),
    ("structuredOutputConfigsSubDirectory", "StructuredOutputs"),
)
"""Keys that name a user's folder; without them it is the one called like the user (configs.md §3)."""


@dataclass(frozen=True, slots=True)
class FileEdit:
    """Values to be set in one file so that it goes on meaning the same."""

    path: str
    values: tuple[tuple[Pointer, str], ...]
    """Where, and the new value."""


@dataclass(frozen=True, slots=True)
class RenamePlan:
    """Everything that a new name needs."""

    path: str
    to: str
    edits: tuple[FileEdit, ...]
    obstacles: tuple[str, ...]
    """Why it cannot be done, in sentences."""
    mentions: tuple[Mention, ...]
    """The old name in places that are not followed."""
    warnings: tuple[str, ...] = ()
    """What the new name breaks outside of the configs, in sentences; it is done all the same if that is meant."""

    @property
    def count(self) -> int:
        """How many values change in other files."""
        return sum(len(edit.values) for edit in self.edits)


@dataclass(frozen=True, slots=True)
class DeletePlan:
    """What names a file that is to be deleted."""

    path: str
    breaks: tuple[Reference, ...]
    """References that would lead nowhere."""
    idle: tuple[Reference, ...]
    """References that are switched off where they stand, and would be missing when they are switched on."""
    reasons: tuple[str, ...]
    """What else would break, in sentences."""
    mentions: tuple[Mention, ...]
    falls_back_to: str = ""
    """The file that would be found in its place (configs.md §2); then nothing breaks."""

    @property
    def is_harmless(self) -> bool:
        """Whether nothing that works now would stop working."""
        return not self.breaks and not self.reasons


def plan_rename(path: str, name: str) -> RenamePlan:
    """What a file of this path needs to be called `name` in the same folder.

    Raises ConfigNotFoundError, and ConfigInvalidError for a name that no file may have.
    """
    found = get_reference_map()
    found.library.get(path)
    to = path_beside(path, name)
    incoming = found.list_to(path)
    follows = [reference for reference in incoming if len(set(reference.targets.values())) == 1]
    edits: dict[str, list[tuple[Pointer, str]]] = defaultdict(list)
    for pointer, value in _own_edits(found, path):
        edits[path].append((pointer, value))
    for reference in follows:
        new_name = reference.name.rpartition("/")[0]
        edits[reference.source].append((reference.pointer, f"{new_name}/{name}" if new_name else name))
    return RenamePlan(
        path=path,
        to=to,
        edits=tuple(FileEdit(source, tuple(dict.fromkeys(values))) for source, values in edits.items()),
        obstacles=tuple(_obstacles(found, path, to)),
        mentions=found.list_mentions(path),
        warnings=tuple(_warnings(found, path)),
    )


def plan_delete(path: str) -> DeletePlan:
    """What would break without this file. Raises ConfigNotFoundError."""
    found = get_reference_map()
    found.library.get(path)
    incoming = found.list_to(path)
    falls_back_to = _find_fallback(found, path)
    return DeletePlan(
        path=path,
        breaks=() if falls_back_to else tuple(one for one in incoming if not one.is_switched_off),
        idle=tuple(reference for reference in incoming if reference.is_switched_off),
        reasons=(*_reached_by_name(found, path), *_asked_for_by_name(found, path)),
        mentions=found.list_mentions(path),
        falls_back_to=falls_back_to,
    )


def path_beside(path: str, name: str) -> str:
    """The path of a file called `name` in the folder of another. Raises ConfigInvalidError."""
    name = name.strip()
    if not is_plain_name(name) or name.startswith(".") or len(name) > MAX_NAME or not name.isprintable():
        raise ConfigInvalidError(
            f"{name[:60]!r} is not a usable name: it must not be empty, begin with a dot, contain / \\ : or be longer "
            f"than {MAX_NAME} characters.",
            field="name",
        )
    if name.lower().endswith(".json"):
        raise ConfigInvalidError("Leave .json off the name; it is added.", field="name")
    if set(name) & set("{}"):
        raise ConfigInvalidError("A name with braces would be taken for a variable.", field="name")
    if path.startswith("Users/") and name != name.lower():
        raise ConfigInvalidError("WilmerAI looks users up in lower case; use a name without capitals.", field="name")
    return f"{path.rpartition('/')[0]}/{name}.json"


def _obstacles(found: ReferenceMap, path: str, to: str) -> Iterator[str]:
    if path == CURRENT_USER:
        yield "WilmerAI looks for this very name."
    if to == path:
        yield "That is its name already."
    elif to.lower() in {other.lower() for other in found.files if other != path}:
        yield f"There is already a file {to}."
    yield from _reached_by_name(found, path)
    for reference in found.list_to(path):
        others = sorted(set(reference.targets.values()) - {path})
        if others:
            yield (
                f"{reference.source} ({reference.place}) names it, but for other users the same name leads to "
                f"{', '.join(others)}. Copy the file instead, or give those users a workflow of their own first."
            )
    for reference in found.list_to(to):
        yield f"{reference.source} ({reference.place}) names {to} already and would lead here."


def _reached_by_name(found: ReferenceMap, path: str) -> Iterator[str]:
    """Files that WilmerAI comes to without their being named anywhere."""
    area, _, rest = path.partition("/")
    folder, _, name = rest.rpartition("/")
    if area == "Workflows" and name == f"{DEFAULT_WORKFLOW}.json":
        users = ", ".join(found.list_users_of(path))
        if users:
            yield f"WilmerAI comes to {DEFAULT_WORKFLOW} of the folder {folder} by its name (users: {users})."


def _asked_for_by_name(found: ReferenceMap, path: str) -> Iterator[str]:
    """Users of whom programs speak without any file saying so."""
    if _is_user(path) and not found.list_to(path):
        yield "Requests and servers that name this user would no longer find it."


def _warnings(found: ReferenceMap, path: str) -> Iterator[str]:
    yield from _asked_for_by_name(found, path)
    # WilmerAI derives the key of encrypted files from the API key and the user's name (memory.md §5).
    if _is_user(path) and (count := count_chips(DiscussionFilter())["locked"]):
        whole = f"{count} discussions are encrypted" if count != 1 else "One discussion is encrypted"
        yield (
            f"{whole}. WilmerAI makes the key from the API key and the user's name: what it encrypted for "
            f"{path.removeprefix('Users/').removesuffix('.json')} it can no longer read under another name. "
            "The console still opens it only while a user of the old name has a config."
        )


def _is_user(path: str) -> bool:
    return path.startswith("Users/") and path.count("/") == 1 and path != CURRENT_USER


def _find_fallback(found: ReferenceMap, path: str) -> str:
    """The preset or output schema of the same name that everybody has, behind one of a user's folder."""
    parts = path.split("/")
    depth = {"Presets": 2, "StructuredOutputs": 1}.get(parts[0], len(parts))
    common = "/".join([*parts[:depth], parts[-1]])
    return common if common != path and common in found.files else ""


def _own_edits(found: ReferenceMap, path: str) -> Iterator[tuple[Pointer, str]]:
    """A user whose folders are called like them must name these folders from now on."""
    area, _, name = path.removesuffix(".json").partition("/")
    document: Any = found.files[path].document
    if area != "Users" or path == CURRENT_USER or not isinstance(document, dict):
        return
    for key, folder_area in _USER_FOLDERS:
        folders = {file.folder.rpartition("/")[2] for file in found.files.values() if file.area == folder_area}
        if not document.get(key) and name in folders:
            yield (key,), name
