"""The Public folder that a workflow case lives in, and the pieces a single node needs."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from memory.engine.braces import to_sentinels
from memory.engine.timestamps import build_time_context
from memory.queries.retrieval import OpenDiscussion
from memory.stores.discussion_files import DiscussionFiles
from memory.stores.discussion_folders import DiscussionFolders
from memory.stores.public_folder import PublicFolder
from memory.types import DiscussionRef
from tests.conformance.scripted_model import TEXT_TYPES, ScriptedModel
from tests.conformance.scripted_web import ScriptedWeb
from tests.conformance.vectors import load
from workflows_app.engine.coercion import coerce_numbers
from workflows_app.engine.node import NodeContext
from workflows_app.engine.permissions import Permissions
from workflows_app.engine.routing import build_routing_variables
from workflows_app.engine.run import Run
from workflows_app.engine.variables import NodeVariables, VariableScope, build_early_variables, build_inputs
from workflows_app.llm.client import ModelClients
from workflows_app.net.web_client import WebAccess
from workflows_app.stores.config_files import ConfigFiles
from workflows_app.stores.file_access import FileAccess
from workflows_app.stores.workflow_locks import WorkflowLocks
from workflows_app.types import Target

LIMIT_BYTES = 64 * 1024 * 1024
ALLOWED = Permissions(
    web_hosts=("*",), allow_private_addresses=True, allow_curl=True, mcp_servers=("*",), wiki_hosts=("*",)
)
"""The recordings were made by a server that refuses nothing."""
CLOCK = "2025-03-09T08:05:00"


class World:
    """One case's folder, laid out as conformance/WORKFLOWS.md says."""

    def __init__(self, public: Path, case: dict[str, Any]) -> None:
        self.public = public
        self.input = case["input"]
        self.clock = datetime.fromisoformat(self.input.get("clock") or CLOCK)
        self.model = ScriptedModel((self.input.get("llm") or {}).get("replies") or [])
        self.web = ScriptedWeb(self.input.get("web") or {})
        files = dict(load("workflows", "base_public")["files"])
        _merge(files, "Configs/Users/tester.json", self.input.get("user", {}))
        for name, values in self.input.get("endpoints", {}).items():
            _merge(files, f"Configs/Endpoints/{name}.json", values)
        for name, content in (self.input.get("workflows") or {}).items():
            folder = "" if "/" in name else "tester/"
            files[f"Configs/Workflows/{folder}{name}.json"] = content
        files |= self.input.get("files", {})
        for name, content in files.items():
            self._write(name, content)
        self.configs = ConfigFiles(public / "Configs", (self.input.get("users") or ["tester"])[0])

    def _write(self, name: str, content: Any) -> None:
        if content is None:
            return
        path = self.public / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text.replace("<PUBLIC>", str(self.public)), encoding="utf-8")

    def open_files(self, discussion_id: Any) -> DiscussionFiles | None:
        """The files of a discussion, if there is an id."""
        if not discussion_id:
            return None
        folder = PublicFolder(self.public, self.public / "Configs", self.public / "DiscussionIds")
        return DiscussionFolders(folder).open_or_create(DiscussionRef(discussion_id), limit_bytes=LIMIT_BYTES)

    @property
    def messages(self) -> list[dict[str, Any]]:
        messages = self.input.get("messages") or []
        if self.input.get("gateway") is False:
            return [dict(message) for message in messages]
        return [
            {**message, "content": to_sentinels(message["content"])}
            if isinstance(message.get("content"), str)
            else dict(message)
            for message in messages
        ]

    def scope(self, **changes: Any) -> VariableScope:
        chat_template = self.configs.user.get("chatPromptTemplateName")
        categories = self.input.get("categories")
        values: dict[str, Any] = {
            "now": datetime.fromisoformat(self.input.get("clock") or CLOCK),
            "messages": self.messages,
            "user": self.configs.user,
            "chat_template": self.configs.read_prompt_template(chat_template) if chat_template else {},
            "custom": self.input.get("workflow") or {},
            "outputs": self.input.get("agent_outputs") or {},
            "inputs": self.input.get("agent_inputs") or build_inputs(self.input.get("scoped_inputs") or []),
            "routing": build_routing_variables(categories) if categories else {},
            "discussion_id": self.input.get("discussion_id"),
            "time_context": self._time_context,
        }
        return VariableScope(**(values | changes))

    def _time_context(self) -> str:
        return build_time_context(self.input.get("timestamps") or {}, datetime.fromisoformat(CLOCK))

    def context(self, node: dict[str, Any], **changes: Any) -> NodeContext:
        scope = self.scope(**changes)
        name = self.input.get("endpoint")
        target = self.configs.read_target(name) if name else Target()
        prepared = coerce_numbers(node, build_early_variables(scope))
        variables = NodeVariables(scope, prepared, target)
        return NodeContext(prepared, variables, target, self.run(), scope, conversation=scope.messages)

    def run(self, **changes: Any) -> Run:
        """A request of this case; `changes` are fields of Run."""
        discussion_id = changes.get("discussion_id", self.input.get("discussion_id"))
        values: dict[str, Any] = {
            "configs": self.configs,
            "locks": self.locks("instance-one"),
            "messages": self.messages,
            "now": lambda: self.clock,
            "discussion_id": discussion_id,
            "facilities": {
                ModelClients: ModelClients(dict.fromkeys(TEXT_TYPES, self.model)),
                FileAccess: FileAccess((self.public,), self.public),
                Permissions: ALLOWED,
                WebAccess: WebAccess(self.web),
                OpenDiscussion: OpenDiscussion(self.open_files(discussion_id)),
            },
        }
        return Run(**(values | changes))

    def locks(self, instance: str) -> WorkflowLocks:
        return WorkflowLocks(self.configs.paths.lock_database(), instance, lambda: self.clock)


def run_node(handler: Any, context: NodeContext) -> Any:
    """Exhausts a handler and gives its output."""
    steps = handler(context)
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return stop.value


def _merge(files: dict[str, Any], name: str, values: dict[str, Any]) -> None:
    merged = dict(files.get(name) or {})
    for key, value in values.items():
        if value == {"__delete__": True}:
            merged.pop(key, None)
        else:
            merged[key] = value
    if values:
        files[name] = merged


def fill_public(case: dict[str, Any], public: Path) -> dict[str, Any]:
    """The case with `<PUBLIC>` replaced by the folder it runs in."""
    filled: dict[str, Any] = json.loads(json.dumps(case).replace("<PUBLIC>", str(public)))
    return filled
