"""The whole configs folder as an index: which files there are, by exact name and ignoring letter case."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from workflows_app.configs.documents import Document
from workflows_app.configs.kinds import ConfigKind


@dataclass
class ConfigFolder:
    """Every JSON file below `Configs`, parsed once."""

    documents: dict[str, Document]
    ignores_case: bool = False
    """Whether the file system finds `A.json` under the name `a.json`."""
    has_discussions: bool = False
    has_file: Callable[[str], bool] | None = None
    """Whether a path outside of the folder exists; None where nobody can tell."""
    saved: Mapping[str, Document] = field(default_factory=dict)
    """Files as they are on disk where `documents` has unsaved text."""

    def __post_init__(self) -> None:
        for path in _named_settings(self.documents.values()):
            document = self.documents.get(path)
            if document is not None and document.kind is ConfigKind.WORKFLOW and "nodes" not in document.object:
                kind = ConfigKind.COMPACTOR_SETTINGS if "ompactor" in path else ConfigKind.MEMORY_SETTINGS
                self.documents[path] = replace(document, kind=kind)

    def find(self, path: str) -> Document | None:
        """The document at exactly this path."""
        return self.documents.get(path)

    def find_other_case(self, path: str) -> str | None:
        """A path that differs in letter case alone."""
        return self._by_lower.get(path.lower())

    def has_folder(self, path: str) -> bool:
        """Whether any JSON file lies below this folder."""
        return path.rstrip("/") in self._folders

    def list_kind(self, kind: ConfigKind) -> list[Document]:
        """The documents of one kind, sorted by path."""
        return self._by_kind.get(kind, [])

    def find_elsewhere(self, top: str, file_name: str) -> list[str]:
        """Paths below `top` with this file name, whatever their folder."""
        return [path for path in self._by_name.get(file_name.lower(), []) if path.startswith(f"{top}/")]

    @cached_property
    def users(self) -> list[Document]:
        """The configs of users, but not those in subfolders, which nobody can name."""
        return [document for document in self.list_kind(ConfigKind.USER) if "/" not in document.path[len("Users/") :]]

    @cached_property
    def _by_lower(self) -> dict[str, str]:
        return {path.lower(): path for path in self.documents}

    @cached_property
    def _by_kind(self) -> dict[ConfigKind, list[Document]]:
        found: dict[ConfigKind, list[Document]] = {}
        for path in sorted(self.documents):
            document = self.documents[path]
            if document.kind:
                found.setdefault(document.kind, []).append(document)
        return found

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in sorted(self.documents):
            found.setdefault(posixpath.basename(path).lower(), []).append(path)
        return found

    @cached_property
    def _folders(self) -> set[str]:
        found: set[str] = set()
        for path in self.documents:
            parent = posixpath.dirname(path)
            while parent and parent not in found:
                found.add(parent)
                parent = posixpath.dirname(parent)
        return found


def _named_settings(documents: Iterable[Document]) -> list[str]:
    """Paths that users' configs name as settings, by whatever name."""
    found = []
    for user in documents:
        if user.kind is not ConfigKind.USER:
            continue
        folder = user.object.get("workflowConfigsSubDirectoryOverride") or user.name
        for key in ("discussionIdMemoryFileWorkflowSettings", "contextCompactorSettingsFile"):
            if name := user.object.get(key):
                found.append(f"Workflows/{folder}/{name}.json")
    return found
