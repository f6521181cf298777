"""A discussion on a real disk and a model whose answers a test decides."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memory.engine.memory_settings import MemorySettings
from memory.engine.model_calls import Call, WorkflowCall
from memory.services.notes import AttemptLog, InMemoryAttemptLog
from memory.services.workshop import Workshop
from memory.stores.discussion_folders import DiscussionFolders
from memory.stores.public_folder import PublicFolder
from memory.types import DiscussionId, DiscussionRef, Entry, Message

REF = DiscussionRef(DiscussionId("amber"))
LIMIT_BYTES = 1_000_000

FILE_SETTINGS = {
    "fileMemoryWorkflowName": "remember",
    "maxMessagesBetweenChunks": 1,
    "chunkEstimatedTokenSize": 1,
    "lookbackStartTurn": 1,
}
"""One chunk per message, as soon as there is one."""

VECTOR_SETTINGS = {
    "vectorMemoryWorkflowName": "remember",
    "vectorMemoryMaxMessagesBetweenChunks": 1,
    "vectorMemoryChunkEstimatedTokenSize": 1,
    "lookbackStartTurn": 1,
}


@dataclass
class FakeModel:
    """Answers with a function of the first input or the prompt."""

    answer: Callable[[str], str | None] = lambda text: f"memory of {text}"
    calls: list[str] = field(default_factory=list)

    def ask(self, call: Call) -> str | None:
        text = call.inputs[0] if isinstance(call, WorkflowCall) else call.prompt
        self.calls.append(text)
        return self.answer(text)


def memory_json(text: str) -> str:
    return json.dumps({"title": "T", "summary": f"memory of {text}", "entities": [], "key_phrases": []})


def talk(count: int, start: int = 1) -> list[Message]:
    return [Message("user", f"message {number}") for number in range(start, start + count)]


def open_files(tmp_path: Path) -> Any:
    folders = DiscussionFolders(PublicFolder(tmp_path, tmp_path / "Configs", tmp_path / "DiscussionIds"))
    return folders.open_or_create(REF, limit_bytes=LIMIT_BYTES)


def build_workshop(
    tmp_path: Path,
    model: Any,
    settings: dict[str, Any] = FILE_SETTINGS,
    *,
    log: AttemptLog | None = None,
    **others: Any,
) -> Workshop:
    return Workshop(open_files(tmp_path), MemorySettings(settings), model, log or InMemoryAttemptLog(), **others)


def entries(*texts: str) -> list[Entry]:
    return [Entry(text, f"h{number}") for number, text in enumerate(texts, start=1)]


def texts_of(stored: Sequence[Entry]) -> list[str]:
    return [entry.text for entry in stored]
