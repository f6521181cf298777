"""What refers to what among the configs: which file names which other one, for which user (configs.md §2, §12)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from wilmer_site.lib.errors import WilmerError
from workflows_app import wiring
from workflows_app.configs.places import DEFAULT_WORKFLOW
from workflows_app.engine.config_references import NamedFile, Pointer, Wanted, list_named_files, list_texts
from workflows_app.stores.config_library import ConfigLibrary, LibraryFile
from workflows_app.stores.config_paths import ConfigPaths

CURRENT_USER = "Users/_current-user.json"


@dataclass(frozen=True, slots=True)
class Reference:
    """One name in one file, and where it leads for the users that come upon it."""

    source: str
    """The file that has the name, below `Configs`."""
    pointer: Pointer
    wanted: Wanted
    name: str
    targets: Mapping[str, str]
    """User → path the name leads to for them; a path that does not exist is one that is missing."""
    is_switched_off: bool = False

    @property
    def place(self) -> str:
        """The pointer as people read it: `nodes › 3 › endpointName`, positions from 1."""
        return " › ".join(str(part + 1) if isinstance(part, int) else part for part in self.pointer)

    @property
    def json_pointer(self) -> str:
        """The same as an RFC 6901 pointer."""
        return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in self.pointer)

    def users_of(self, path: str) -> tuple[str, ...]:
        """The users for whom the name leads to this file."""
        return tuple(user for user, target in self.targets.items() if target == path)


@dataclass(frozen=True, slots=True)
class Mention:
    """A text that equals the name of a file, in a place that is no known reference."""

    source: str
    pointer: Pointer

    @property
    def place(self) -> str:
        """The pointer as people read it."""
        return " › ".join(str(part + 1) if isinstance(part, int) else part for part in self.pointer)


@dataclass(frozen=True)
class ReferenceMap:
    """Every reference of one configs folder at one moment."""

    library: ConfigLibrary
    files: Mapping[str, LibraryFile]
    references: tuple[Reference, ...]
    reached: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """User → paths that a request of theirs may come to."""

    @cached_property
    def _incoming(self) -> dict[str, list[Reference]]:
        found: dict[str, list[Reference]] = defaultdict(list)
        for reference in self.references:
            for target in dict.fromkeys(reference.targets.values()):
                found[target].append(reference)
        return found

    def list_to(self, path: str) -> tuple[Reference, ...]:
        """Everything that names this file, be it there or not."""
        return tuple(self._incoming.get(path, ()))

    def list_from(self, path: str) -> tuple[Reference, ...]:
        """Everything that this file names."""
        return tuple(reference for reference in self.references if reference.source == path)

    def list_users_of(self, path: str) -> tuple[str, ...]:
        """The WilmerAI users whose requests may come to this file."""
        return tuple(user for user, paths in self.reached.items() if path in paths)

    def list_mentions(self, path: str) -> tuple[Mention, ...]:
        """Texts equal to the file's name that are no reference we know, outside the file itself."""
        name = path.rpartition("/")[2].removesuffix(".json")
        known = {(reference.source, reference.pointer) for reference in self.references}
        return tuple(
            Mention(file.path, pointer)
            for file in self.files.values()
            if file.path != path and file.document is not None
            for pointer, text in list_texts(file.document)
            if text == name and (file.path, pointer) not in known
        )


def get_reference_map() -> ReferenceMap:
    """The references of the folder that is open; damaged files name nothing."""
    return build_reference_map(wiring.get_config_library())


def build_reference_map(library: ConfigLibrary) -> ReferenceMap:
    """The references of one configs folder; they are worked out again only when a file changed."""
    listed = library.list_files()
    state = (str(library.root), *((file.path, file.state) for file in listed))
    kept = _KEPT.get(state)
    if kept is None:
        kept = _build(library, {file.path: file for file in listed})
        _KEPT.clear()
        _KEPT[state] = kept
    return kept


_KEPT: dict[tuple[object, ...], ReferenceMap] = {}
"""The last map, by the state of all files."""


def _build(library: ConfigLibrary, files: Mapping[str, LibraryFile]) -> ReferenceMap:
    people = _list_people(library.root, files)
    reached = {person.name: frozenset(person.walk(_starts(person))) for person in people}
    references = tuple(
        reference for file in files.values() for reference in _resolve(file, _readers(file, people, reached))
    )
    return ReferenceMap(library, files, references, {name: paths for name, paths in reached.items() if name})


@dataclass(frozen=True)
class _Person:
    """One user's way of looking names up. An empty name stands for what holds for nobody in particular."""

    name: str
    paths: ConfigPaths
    files: Mapping[str, LibraryFile]

    def walk(self, starts: Sequence[str]) -> set[str]:
        """All files that lead on from these, however deep."""
        found: set[str] = set()
        waiting = [path for path in starts if path in self.files]
        while waiting:
            path = waiting.pop()
            if path in found:
                continue
            found.add(path)
            for named in list_named_files(path, self.files[path].document):
                target = self.resolve(named, path)
                if not named.is_switched_off and target in self.files:
                    waiting.append(target)
        return found

    def resolve(self, named: NamedFile, source: str) -> str:
        """The path a name leads to, existing or not; empty when it leads nowhere at all."""
        try:
            return self._below(self._locate(named, source))
        except WilmerError:
            return ""

    def _locate(self, named: NamedFile, source: str) -> Path:
        if named.wanted in {Wanted.PRESET, Wanted.PRESET_FILE}:
            return self._locate_preset(named, source)
        finders = {
            Wanted.USER: self.paths.user_file,
            Wanted.SETTINGS: self.paths.workflow_file,
            Wanted.ENDPOINT: self.paths.endpoint_file,
            Wanted.API_TYPE: self.paths.api_type_file,
            Wanted.PROMPT_TEMPLATE: self.paths.prompt_template_file,
            Wanted.ROUTING: self.paths.routing_file,
            Wanted.MCP_SERVER: self.paths.mcp_server_file,
            Wanted.SCHEMA: self.paths.schema_file,
        }
        if named.wanted is Wanted.WORKFLOW:
            return self.paths.workflow_file(named.name, named.folder)
        return finders[named.wanted](named.name)

    def _locate_preset(self, named: NamedFile, source: str) -> Path:
        """An endpoint of that name with samplers of its own, else a preset file (configs.md §2)."""
        own = self._find_endpoint(named.name) if named.wanted is Wanted.PRESET else None
        if own and own.get("presetSamplers"):
            return self.paths.endpoint_file(named.name)
        endpoint = self._find_endpoint(named.endpoint) if named.endpoint else self._document(source)
        api_type = self._document(f"ApiTypes/{(endpoint or {}).get('apiTypeConfigFileName')}.json") or {}
        return self.paths.preset_file(named.name, str(api_type.get("presetType") or ""))

    def _find_endpoint(self, name: str) -> Mapping[str, Any] | None:
        try:
            return self._document(self._below(self.paths.endpoint_file(name)))
        except WilmerError:
            return None

    def _document(self, path: str) -> Mapping[str, Any] | None:
        file = self.files.get(path)
        return file.document if file and isinstance(file.document, dict) else None

    def _below(self, path: Path) -> str:
        return path.relative_to(self.paths.root).as_posix()


def _list_people(root: Path, files: Mapping[str, LibraryFile]) -> tuple[_Person, ...]:
    users = [file for file in files.values() if file.area == "Users" and not file.folder and file.path != CURRENT_USER]
    return tuple(
        _Person(file.name, ConfigPaths(root, file.name, file.document), files)
        for file in users
        if isinstance(file.document, dict)
    )


def _starts(person: _Person) -> list[str]:
    """Where a request of a user may begin: their config, their default workflow, the shared ones a model may name."""
    paths = person.paths
    shared = [f"Workflows/{paths.shared_folder}/{name}/{DEFAULT_WORKFLOW}.json" for name in _list_shared(paths)]
    return [f"Users/{person.name}.json", f"Workflows/{paths.workflow_folder}/{DEFAULT_WORKFLOW}.json", *shared]


def _list_shared(paths: ConfigPaths) -> list[str]:
    try:
        return paths.list_shared_folders()
    except WilmerError:
        return []


def _readers(file: LibraryFile, people: Sequence[_Person], reached: Mapping[str, frozenset[str]]) -> Sequence[_Person]:
    """For whom a file's names are looked up: who comes to it; else whose folder it lies in; else everybody."""
    coming = [person for person in people if file.path in reached[person.name]]
    if coming:
        return coming
    owners = [person for person in people if file.folder and file.folder == _own_folder(person, file.area)]
    if owners or file.area == "Users":
        return owners or [person for person in people if file.path == f"Users/{person.name}.json"] or people[:1]
    return people


def _own_folder(person: _Person, area: str) -> str:
    if area == "Workflows":
        return person.paths.workflow_folder
    return str(person.paths.user.get("endpointConfigsSubDirectory") or "") if area == "Endpoints" else ""


def _resolve(file: LibraryFile, readers: Sequence[_Person]) -> Iterator[Reference]:
    for named in list_named_files(file.path, file.document):
        if "{" in named.name and named.wanted not in {Wanted.WORKFLOW, Wanted.SETTINGS}:
            continue
        targets = {person.name: person.resolve(named, file.path) for person in readers}
        found = {user: target for user, target in targets.items() if target}
        yield Reference(file.path, named.pointer, named.wanted, named.name, found, named.is_switched_off)
