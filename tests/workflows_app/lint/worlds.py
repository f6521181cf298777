"""A configs folder without any problem, in memory, and folders that differ from it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workflows_app.configs.documents import read_document
from workflows_app.lint.check import check_folder
from workflows_app.lint.folder import ConfigFolder
from workflows_app.results import Problem

MAIN = "Workflows/ann/Main.json"
USER = "Users/ann.json"
MODEL = "Endpoints/Model.json"
CHAT = "ApiTypes/Chat.json"
MEMORY = "Workflows/ann/Memory-Settings.json"
COMPACTOR = "Workflows/ann/Compactor-Settings.json"
ROUTING = "Routing/Routes.json"

Files = Mapping[str, Any]
"""Path → JSON value, or bytes as they are; None takes a file away."""

user: dict[str, Any] = {
    "customWorkflowOverride": True,
    "customWorkflow": "Main",
    "chatPromptTemplateName": "_chatonly",
    "chatCompleteAddUserAssistant": False,
    "chatCompletionAddMissingAssistantGenerator": False,
}
model: dict[str, Any] = {
    "endpoint": "http://127.0.0.1:5001",
    "apiTypeConfigFileName": "Chat",
    "promptTemplate": None,
    "modelNameToSendToAPI": "m",
    "maxContextTokenSize": 8000,
}
chat: dict[str, Any] = {
    "type": "openAIChatCompletion",
    "presetType": "P",
    "maxNewTokensPropertyName": "max_tokens",
    "samplerFieldMap": {"temperature": "temperature"},
}
routed: dict[str, Any] = {
    **user,
    "customWorkflowOverride": False,
    "routingConfig": "Routes",
    "categorizationWorkflow": "Sort",
}
memory: dict[str, Any] = {"chunkEstimatedTokenSize": 1000, "prompt": "Write. [TextChunk]"}
answer: dict[str, Any] = {
    "title": "Answer",
    "type": "Standard",
    "endpointName": "Model",
    "preset": "Plain",
    "prompt": "Answer {chat_user_prompt_last_one}",
    "is_responder": True,
}

CLEAN: dict[str, Any] = {
    "Users/_current-user.json": {"currentUser": "ann"},
    USER: user,
    "PromptTemplates/_chatonly.json": {},
    CHAT: chat,
    "ApiTypes/Embed.json": {"type": "openAIEmbeddings"},
    MODEL: model,
    "Endpoints/Vectors.json": {**model, "apiTypeConfigFileName": "Embed"},
    "Presets/P/Plain.json": {"temperature": 0.5},
    MAIN: [answer],
}
ROUTED: dict[str, Any] = {
    USER: routed,
    ROUTING: {
        "CODE": {"workflow": "Main", "description": "programs"},
        "OTHER": {"workflow": "Main", "description": "the rest"},
    },
    "Workflows/ann/Sort.json": [{**answer, "prompt": "Name one: {categoriesSeparatedByOr}"}],
    "Workflows/ann/_DefaultWorkflow.json": [answer],
}


def using(*nodes: dict[str, Any], **changes: Any) -> list[dict[str, Any]]:
    """Nodes, and one behind them that answers with all their outputs."""
    outputs = " ".join(f"{{agent{number}Output}}" for number in range(1, len(nodes) + 1))
    return [*nodes, {**answer, "prompt": f"Use {outputs}", **changes}]


def node(kind: str, **values: Any) -> dict[str, Any]:
    """A node of a type."""
    return {"title": f"A {kind}", "type": kind, **values}


def asking(**changes: Any) -> list[dict[str, Any]]:
    """A workflow of one node that asks a model; a value of `...` takes a key away."""
    return [{key: value for key, value in {**answer, **changes}.items() if value is not ...}]


def without(values: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    """An object without some keys."""
    return {key: value for key, value in values.items() if key not in keys}


def calling(child: Any, **values: Any) -> dict[str, Any]:
    """The main workflow starts `Child`."""
    values = {"title": "Ask the child", "type": "CustomWorkflow", "workflowName": "Child", **values}
    return {MAIN: [{**values, "is_responder": True}], "Workflows/ann/Child.json": child}


@dataclass(frozen=True)
class World:
    """A folder to check."""

    files: Files = field(default_factory=dict)
    ignores_case: bool = False
    has_discussions: bool = False
    before: Files = field(default_factory=dict)
    """Files as they were saved before."""

    def check(self, user: str | None = None) -> tuple[Problem, ...]:
        """Its problems."""
        return check_folder(self.build(), user=user)

    def build(self) -> ConfigFolder:
        """Its index."""
        files = {path: value for path, value in {**CLEAN, **self.files}.items() if value is not None}
        documents = {path: read_document(path, as_bytes(value)) for path, value in files.items()}
        saved = {path: read_document(path, as_bytes(value)) for path, value in self.before.items()}
        return ConfigFolder(documents, self.ignores_case, self.has_discussions, saved=saved)

    def codes(self) -> set[str]:
        """The rules that are broken."""
        return {problem.code for problem in self.check()}


@dataclass(frozen=True)
class Case:
    """A folder that breaks one rule, and one that nearly does."""

    code: str
    bad: World
    good: World = field(default_factory=World)
    also: tuple[str, ...] = ()
    """Rules that cannot but be broken along with it."""
    note: str = ""

    def __str__(self) -> str:
        return f"{self.code}-{self.note}" if self.note else self.code


def case(code: str, bad: Files, good: Files | None = None, *, also: tuple[str, ...] = (), note: str = "") -> Case:
    """A case of plain folders."""
    return Case(code, World(bad), World(good or {}), also, note)


def as_bytes(value: Any) -> bytes:
    """The bytes of a file."""
    return value if isinstance(value, bytes) else json.dumps(value, indent=2).encode()
