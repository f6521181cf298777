"""A small Public folder, and requests to it."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from workflows_app.engine.run import Run
from workflows_app.llm.client import ModelClients
from workflows_app.llm.clients import build_model_clients
from workflows_app.llm.limits import CallLimits
from workflows_app.stores.config_files import ConfigFiles
from workflows_app.stores.file_access import FileAccess
from workflows_app.stores.workflow_locks import WorkflowLocks

NOON = datetime(2025, 3, 9, 12, 0)  # noqa: DTZ001 - local times without offset, as WilmerAI has them
LIMITS = CallLimits(connect_seconds=2, silent_seconds=5, answer_seconds=5, retry_pauses=())
USER = {
    "customWorkflowOverride": True,
    "customWorkflow": "Main",
    "chatPromptTemplateName": "_chatonly",
    "chatCompleteAddUserAssistant": False,
    "chatCompletionAddMissingAssistantGenerator": False,
}
CHAT = {"type": "openAIChatCompletion", "presetType": "P", "maxNewTokensPropertyName": "max_tokens"}
CHAT_STREAMED = {**CHAT, "streamPropertyName": "stream"}
BUILT_IN = {"type": "builtinExtractive", "presetType": "P", "maxNewTokensPropertyName": "max_tokens"}


def lay_out(tmp_path: Path) -> Path:
    """A Public folder with the user `ann`, a preset, API types and the built-in endpoint."""
    configs = tmp_path / "Configs"
    write(configs / "Users/ann.json", USER)
    write(configs / "PromptTemplates/_chatonly.json", {})
    write(configs / "Presets/P/plain.json", {"temperature": 0.5})
    write(configs / "ApiTypes/chat.json", CHAT_STREAMED)
    write(configs / "ApiTypes/built-in.json", BUILT_IN)
    write_endpoint(tmp_path, "built-in", "http://127.0.0.1", apiTypeConfigFileName="built-in")
    return tmp_path


def write(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")


def write_endpoint(public: Path, name: str, url: str, **values: Any) -> None:
    endpoint = {"endpoint": url, "apiTypeConfigFileName": "chat", "promptTemplate": None, "modelNameToSendToAPI": name}
    write(public / f"Configs/Endpoints/{name}.json", endpoint | values)


def write_workflow(public: Path, name: str, *nodes: dict[str, Any]) -> None:
    write(public / f"Configs/Workflows/ann/{name}.json", list(nodes))


def build_run(public: Path, *texts: str, **changes: Any) -> Run:
    """A request of user `ann` whose messages alternate between user and assistant."""
    roles = ("user", "assistant")
    configs = ConfigFiles(public / "Configs", "ann")
    values: dict[str, Any] = {
        "configs": configs,
        "locks": WorkflowLocks(configs.paths.lock_database(), "test", lambda: NOON),
        "messages": [{"role": roles[at % 2], "content": text} for at, text in enumerate(texts)],
        "now": lambda: NOON,
        "facilities": {ModelClients: build_model_clients(LIMITS), FileAccess: FileAccess((public,), public)},
    }
    return Run(**(values | changes))
