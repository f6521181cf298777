"""The config files by kind: how many, what is wrong with them, who uses them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from django.urls import NoReverseMatch

from workflows_app.configs.kinds import ConfigKind
from workflows_app.contexts.addresses import api_address, page_address
from workflows_app.queries.configs import ConfigEntry, KindSummary

SHOWN = 6
SHOWN_USERS = 3


@dataclass(frozen=True, slots=True)
class KindWords:
    """What people call a kind."""

    many: str
    icon: str
    text: str


KIND_WORDS: Final = {
    ConfigKind.USER: KindWords("Users", "user", "Which workflow answers, with which folders and memory settings."),
    ConfigKind.ENDPOINT: KindWords("Endpoints", "api", "Model servers: address, key, and how answers are cleaned."),
    ConfigKind.PRESET: KindWords("Presets", "adjustments", "Samplers that go into a request as they are."),
    ConfigKind.MEMORY_SETTINGS: KindWords(
        "Memory settings", "database", "When memories are made, how large, and by whom."
    ),
    ConfigKind.COMPACTOR_SETTINGS: KindWords(
        "Compactor settings", "archive", "How what no longer fits into the context is summarised."
    ),
    ConfigKind.ROUTING: KindWords("Routing", "git-branch", "Categories, and the workflow that answers each."),
    ConfigKind.API_TYPE: KindWords("API types", "code", "How one kind of server wants its requests."),
    ConfigKind.PROMPT_TEMPLATE: KindWords(
        "Prompt templates", "message", "Texts around turns, for single-prompt servers."
    ),
    ConfigKind.MCP_SERVER: KindWords("MCP servers", "stack-2", "Tool servers that MCPToolCall nodes may use."),
    ConfigKind.STRUCTURED_OUTPUT: KindWords("Output schemas", "list-details", "JSON Schemas that answers must follow."),
    ConfigKind.CURRENT_USER: KindWords("Current user", "user", "Who counts when nobody is named."),
    ConfigKind.WORKFLOW: KindWords("Workflows", "route", "Nodes, one after another."),
}


@dataclass(frozen=True, slots=True)
class ConfigRow:
    """One file in a list."""

    entry: ConfigEntry
    url: str
    users: tuple[str, ...]
    more_users: int

    @classmethod
    def build(cls, entry: ConfigEntry) -> ConfigRow:
        """Its address and the first few users."""
        return cls(
            entry=entry,
            url=config_address(entry.path),
            users=entry.users[:SHOWN_USERS],
            more_users=max(0, len(entry.users) - SHOWN_USERS),
        )


@dataclass(frozen=True, slots=True)
class KindCard:
    """One kind on the overview."""

    words: KindWords
    url: str
    new_url: str
    rows: tuple[ConfigRow, ...]
    count: int
    errors: int
    warnings: int

    @property
    def more(self) -> int:
        """Files that are not shown."""
        return self.count - len(self.rows)

    @classmethod
    def build(cls, summary: KindSummary, text: str) -> KindCard:
        """The first files; those with errors come first."""
        ordered = sorted(summary.entries, key=lambda entry: (not (entry.errors or entry.problem), entry.name.lower()))
        return cls(
            words=KIND_WORDS[summary.kind],
            url=page_address("config-kind-list", summary.kind.value, parameters=[("text", text)]),
            new_url=page_address("config-new", parameters=[("kind", summary.kind.value)]),
            rows=tuple(ConfigRow.build(entry) for entry in ordered[:SHOWN]),
            count=len(ordered),
            errors=summary.errors,
            warnings=summary.warnings,
        )


@dataclass(frozen=True, slots=True)
class ConfigListContext:
    """Every kind as a card."""

    cards: tuple[KindCard, ...]
    total: int
    text: str
    list_url: str
    new_url: str
    starters_url: str
    workflows_url: str
    problems_url: str
    undo_url: str
    undo: Mapping[str, str]
    """The last change, when its file is gone: `words` and `token`."""
    api_url: str

    @classmethod
    def build(cls, kinds: Sequence[KindSummary], text: str, *, undo: Mapping[str, str]) -> ConfigListContext:
        """The page for one filter; with one, kinds without a hit are left out."""
        return cls(
            cards=tuple(KindCard.build(kind, text) for kind in kinds if kind.entries or not text),
            total=sum(len(kind.entries) for kind in kinds),
            text=text,
            list_url=page_address("config-list"),
            new_url=page_address("config-new"),
            starters_url=page_address("starter-list"),
            workflows_url=page_address("workflow-list"),
            problems_url=find_page_address("problem-list"),
            undo_url=page_address("config-undo"),
            undo=undo,
            api_url=api_address("config-references"),
        )


@dataclass(frozen=True, slots=True)
class ConfigFolder:
    """The files of one folder."""

    name: str
    rows: tuple[ConfigRow, ...]


@dataclass(frozen=True, slots=True)
class ConfigKindListContext:
    """The files of one kind."""

    words: KindWords
    folders: tuple[ConfigFolder, ...]
    total: int
    text: str
    url: str
    list_url: str
    new_url: str

    @classmethod
    def build(cls, kind: ConfigKind, entries: Sequence[ConfigEntry], text: str) -> ConfigKindListContext:
        """Folder by folder."""
        return cls(
            words=KIND_WORDS[kind],
            folders=tuple(
                ConfigFolder(folder, tuple(ConfigRow.build(entry) for entry in group))
                for folder, group in groupby(entries, key=lambda entry: entry.folder)
            ),
            total=len(entries),
            text=text,
            url=page_address("config-kind-list", kind.value),
            list_url=page_address("config-list"),
            new_url=page_address("config-new", parameters=[("kind", kind.value)]),
        )


def config_address(path: str) -> str:
    """The page of a config file; a workflow's is that of the workflow."""
    return page_address("config-detail", path)


def workflow_address(path: str) -> str:
    """The page of a workflow by its path below `Configs`."""
    return page_address("workflow-detail", path.removeprefix("Workflows/").removesuffix(".json"))


def find_page_address(name: str, *args: object) -> str:
    """The URL of a page that may not be there; then empty."""
    try:
        return page_address(name, *args)
    except NoReverseMatch:
        return ""
