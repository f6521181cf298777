"""One discussion on a real disk, a scripted model, and readings of both in the form of the recorded cases."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memory.engine.hashing import hash_api_key
from memory.engine.memory_settings import MemorySettings
from memory.engine.model_calls import Call, WorkflowCall
from memory.services.notes import InMemoryAttemptLog
from memory.services.workshop import Workshop
from memory.stores.discussion_files import DiscussionFiles
from memory.stores.discussion_folders import DiscussionFolders
from memory.stores.public_folder import PublicFolder
from memory.types import ApiKey, DiscussionId, DiscussionRef
from wilmer_site.lib.errors import UpstreamError

LIMIT_BYTES = 10_000_000
UNSCRIPTED = "unscripted answer"


@dataclass
class ScriptedModel:
    """Gives the recorded replies in order and keeps what it was asked."""

    replies: list[Any] = field(default_factory=list)
    is_strict: bool = True
    """Fail when there are more calls than replies; otherwise answer something."""
    calls: list[Call] = field(default_factory=list)

    def ask(self, call: Call) -> str | None:
        self.calls.append(call)
        if not self.replies:
            assert not self.is_strict, f"one call more than recorded: {call}"
            return f"{UNSCRIPTED} {len(self.calls)}"
        reply = self.replies.pop(0)
        if isinstance(reply, Mapping):
            raise UpstreamError("The call fails, as scripted.")
        return reply


@dataclass
class LetterEmbedder:
    """Vectors from letters, as the recordings made them."""

    model: str
    reply: str = "letters"
    requests: list[list[str]] = field(default_factory=list)

    def embed(self, texts: Sequence[str]) -> list[list[float]] | None:
        self.requests.append(list(texts))
        if self.reply == "error":
            raise UpstreamError("The embeddings endpoint fails, as scripted.")
        if self.reply in {"none", "cancelled"}:
            return None
        return [[len(text) / 8, sum(text.lower().count(v) for v in "aeiou") / 8, text.count(" ") / 8] for text in texts]


class DiscussionWorld:
    """A public folder with one discussion, seen as recordings see it."""

    def __init__(self, root: Path, discussion_id: str, api_key: str | None = None) -> None:
        self.root = root / "DiscussionIds"
        self.key = ApiKey(api_key) if api_key else None
        key_hash = hash_api_key(api_key) if api_key else None
        self.ref = DiscussionRef(DiscussionId(discussion_id), key_hash)
        self.home = self.root / (key_hash or "") / discussion_id
        self.folders = DiscussionFolders(PublicFolder(root, root / "Configs", self.root))
        self.log = InMemoryAttemptLog()

    def write(self, name: str, content: Any) -> None:
        """A file in the discussion's folder; None removes it."""
        self.home.mkdir(parents=True, exist_ok=True)
        path = self.home / name
        if content is None:
            path.unlink(missing_ok=True)
        else:
            text = content if name.endswith(".md") or isinstance(content, str) else json.dumps(content)
            path.write_text(text, encoding="utf-8", newline="")

    def read(self, name: str) -> Any:
        """A file as JSON or text; None if it is absent."""
        path = self.home / name
        if not path.exists():
            return None
        text = path.read_bytes().decode("utf-8")
        return text if name.endswith((".md", ".bak")) else json.loads(text)

    @property
    def files(self) -> DiscussionFiles:
        return self.folders.open_or_create(self.ref, api_key=self.key, limit_bytes=LIMIT_BYTES)

    def workshop(self, config: Mapping[str, Any], model: Any, **others: Any) -> Workshop:
        return Workshop(self.files, MemorySettings(config), model, log=self.log, **others)

    @property
    def database_path(self) -> Path:
        return self.home / "vector_memory.db"

    def rows(self, statement: str) -> list[dict[str, Any]]:
        """Rows of the vector database; none if it or the table is absent."""
        if not self.database_path.exists():
            return []
        with closing(sqlite3.connect(self.database_path)) as connection:
            connection.row_factory = sqlite3.Row
            try:
                return [dict(row) for row in connection.execute(statement)]
            except sqlite3.OperationalError:
                return []


def call_as_json(call: Call) -> dict[str, Any]:
    """A call in the form of the recordings, without what depends on the kind of endpoint."""
    if isinstance(call, WorkflowCall):
        return {"kind": "workflow", "workflow": call.workflow, "scoped_inputs": list(call.inputs)}
    return {
        "kind": "model",
        "endpoint": call.target.endpoint,
        "preset": call.target.preset,
        "max_tokens": call.target.max_tokens,
        "system_prompt": call.system_prompt,
        "prompt": call.prompt,
    }


def recorded_call(call: Mapping[str, Any]) -> dict[str, Any]:
    """A recorded call without what the endpoint's kind made of it; absent prompts are empty ones."""
    kept = {key: value for key, value in call.items() if key not in {"style", "roles"}}
    return {key: "" if value is None and key.endswith("prompt") else value for key, value in kept.items()}


def recorded_calls(step: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [recorded_call(call) for call in step["calls"]]


def messages_of_steps(case_input: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], list[Mapping[str, Any]]]]:
    """Each step with its raw messages: its own ones, or the first of the conversation."""
    for step in case_input["steps"]:
        yield step, step["messages"] if "messages" in step else case_input["conversation"][: step["take"]]
