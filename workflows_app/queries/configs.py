"""The config files of the folder that is open, by kind: how many, what is wrong, who uses them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from workflows_app import wiring
from workflows_app.configs.kinds import ConfigKind, find_kind
from workflows_app.errors import ConfigNotFoundError
from workflows_app.queries import linting
from workflows_app.queries.references import Reference, ReferenceMap, get_reference_map
from workflows_app.results import Problem, Severity
from workflows_app.stores.config_library import LibraryFile

KINDS = (
    ConfigKind.USER,
    ConfigKind.ENDPOINT,
    ConfigKind.PRESET,
    ConfigKind.MEMORY_SETTINGS,
    ConfigKind.COMPACTOR_SETTINGS,
    ConfigKind.ROUTING,
    ConfigKind.API_TYPE,
    ConfigKind.PROMPT_TEMPLATE,
    ConfigKind.MCP_SERVER,
    ConfigKind.STRUCTURED_OUTPUT,
)
"""The kinds in the order of the pages; workflows have pages of their own."""
_COMMENTS = ("displayOnlyComment", "Display_Only_Description", "nameForDisplayOnly", "_comment", "description")


@dataclass(frozen=True, slots=True)
class ConfigEntry:
    """One config file in a list."""

    path: str
    name: str
    folder: str
    kind: ConfigKind
    note: str
    """What somebody wrote into it for people."""
    problem: str
    """Why it cannot be read."""
    errors: int
    warnings: int
    references: int
    """How many places name it."""
    users: tuple[str, ...]
    """The WilmerAI users whose requests may come to it."""


@dataclass(frozen=True, slots=True)
class KindSummary:
    """All files of one kind."""

    kind: ConfigKind
    entries: tuple[ConfigEntry, ...]

    @property
    def errors(self) -> int:
        """Errors in all of them."""
        return sum(entry.errors + bool(entry.problem and not entry.errors) for entry in self.entries)

    @property
    def warnings(self) -> int:
        """Warnings in all of them."""
        return sum(entry.warnings for entry in self.entries)


@dataclass(frozen=True, slots=True)
class ConfigUse:
    """Where one config file stands among the others."""

    entry: ConfigEntry
    incoming: tuple[Reference, ...]
    """What names it."""
    outgoing: tuple[Reference, ...]
    """What it names."""
    missing: frozenset[str]
    """Paths among those it names that are not there."""
    problems: tuple[Problem, ...]


def list_kinds(text: str = "") -> tuple[KindSummary, ...]:
    """Every kind with its files whose path or note contains `text`."""
    entries: dict[ConfigKind, list[ConfigEntry]] = defaultdict(list)
    for entry in list_configs(text):
        entries[entry.kind].append(entry)
    return tuple(KindSummary(kind, tuple(entries[kind])) for kind in KINDS)


def list_configs(text: str = "", kind: ConfigKind | None = None) -> tuple[ConfigEntry, ...]:
    """The config files, without workflows, in the order of their folders and names."""
    found, problems = get_reference_map(), _group(linting.list_problems())
    wanted = text.strip().lower()
    entries = (_describe(file, found, problems) for file in found.files.values() if _is_listed(file, kind))
    return tuple(entry for entry in entries if wanted in entry.path.lower() or wanted in entry.note.lower())


def get_config_use(path: str) -> ConfigUse:
    """Who uses a file, what it uses, what is wrong with it. Raises ConfigNotFoundError."""
    wiring.get_config_library().get(path)
    found = get_reference_map()
    if path not in found.files:
        raise ConfigNotFoundError(f"There is no config file {path!r} any more.", path=path, kind="config")
    problems = tuple(problem for problem in linting.list_problems() if problem.path == path)
    outgoing = found.list_from(path)
    targets = {target for reference in outgoing for target in reference.targets.values()}
    return ConfigUse(
        entry=_describe(found.files[path], found, {path: list(problems)}),
        incoming=found.list_to(path),
        outgoing=outgoing,
        missing=frozenset(targets - set(found.files)),
        problems=problems,
    )


def list_folders(kind: ConfigKind) -> tuple[str, ...]:
    """The folders in which files of a kind may lie, as far as there are any."""
    return wiring.get_config_library().list_folders(kind.folder)


def get_kind(path: str) -> ConfigKind:
    """The kind of a file. Raises ConfigNotFoundError."""
    return find_config_kind(wiring.get_config_library().get(path))


def find_config_kind(file: LibraryFile) -> ConfigKind:
    """The kind of a file, settings among the workflows told by their content."""
    return find_kind(PurePosixPath(file.path), file.document) or ConfigKind.WORKFLOW


def _is_listed(file: LibraryFile, kind: ConfigKind | None) -> bool:
    found = find_config_kind(file)
    if found is ConfigKind.WORKFLOW and file.area != "Workflows":
        return False
    return found in KINDS and kind in {None, found}


def _describe(file: LibraryFile, found: ReferenceMap, problems: Mapping[str, list[Problem]]) -> ConfigEntry:
    counts = Counter(problem.severity for problem in problems.get(file.path, ()))
    return ConfigEntry(
        path=file.path,
        name=file.name,
        folder=file.folder,
        kind=find_config_kind(file),
        note=_find_note(file.document),
        problem=file.problem,
        errors=counts[Severity.ERROR],
        warnings=counts[Severity.WARNING],
        references=len(found.list_to(file.path)),
        users=found.list_users_of(file.path),
    )


def _find_note(document: Any) -> str:
    if not isinstance(document, dict):
        return ""
    notes = (document.get(key) for key in _COMMENTS)
    text = next((note for note in notes if isinstance(note, str) and note.strip()), "")
    return text.encode("utf-8", "replace").decode()[:300]


def _group(problems: Iterable[Problem]) -> Mapping[str, list[Problem]]:
    groups: dict[str, list[Problem]] = defaultdict(list)
    for problem in problems:
        groups[problem.path].append(problem)
    return groups
