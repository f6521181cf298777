"""A discussion with chunks, vector memories and a chat, and a model whose answers a test decides."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memory.engine.model_calls import UNWATCHED, Call, Watch, WorkflowCall
from memory.engine.regeneration import Kind, RegenerationRequest
from memory.queries.jobs import get_job
from memory.services.drafts import Decider
from memory.services.job_running import execute_job
from memory.services.regeneration import start_regeneration
from memory.types import DiscussionRef
from tests.builders import USER, build_discussion, build_public_folder, open_public_folder, write_json
from tests.chats import attach, build_chat

CHUNKS = 4
ANNA = Decider("anna", {})

SETTINGS = {
    "fileMemoryWorkflowName": "Remember",
    "vectorMemoryWorkflowName": "Note",
    "stateDocumentWorkflowName": "Keep",
    "useStateDocument": True,
    "condenseMemories": True,
    "memoriesBeforeCondensation": 2,
    "endpointName": "Endpoint",
    "chunkEstimatedTokenSize": 10,
    "lookbackStartTurn": 2,
}
NODE = {"title": "Write", "type": "Standard", "systemPrompt": "You remember.", "endpointName": "Endpoint"}
WORKFLOWS = {
    "Remember": [{**NODE, "prompt": "Before: {agent2Input} Piece: {agent1Input}"}],
    "Note": [{**NODE, "prompt": "Facts of {agent1Input}"}],
    "Keep": [{**NODE, "prompt": "Merge {agent1Input} into {agent2Input}"}],
    "Sum_Up": [
        {
            "type": "chatSummarySummarizer",
            "systemPrompt": "You sum up.",
            "prompt": "[CHAT_SUMMARY] + [LATEST_MEMORIES]",
            "endpointName": "Endpoint",
            "loopIfMemoriesExceed": 2,
        }
    ],
}


@dataclass
class FakeModel:
    """Answers with a function of the first input or of the prompt."""

    answer: Callable[[str], str | None] = lambda text: f"new memory of {text}"
    calls: list[str] = field(default_factory=list)
    watch: Watch = UNWATCHED

    def ask(self, call: Call) -> str | None:
        text = call.inputs[0] if isinstance(call, WorkflowCall) else call.prompt
        self.calls.append(text)
        return self.answer(text)


MODEL = FakeModel()
"""The one that is connected while a test runs."""


def build_model(watch: Watch) -> FakeModel:
    MODEL.watch = watch
    return MODEL


def open_world(tmp_path: Path, settings: Any, *, chunks: int = CHUNKS, has_chat: bool = True) -> DiscussionRef:
    """Chunk n was made from the messages `aside n` and `message n`; three messages are not processed yet."""
    public = build_public_folder(
        tmp_path, discussionIdMemoryFileWorkflowSettings="Memory", chatSummaryToolWorkflow="Sum_Up"
    )
    workflows = public / "Configs" / "Workflows" / USER
    workflows.mkdir(parents=True)
    for name, document in {"Memory": SETTINGS, **WORKFLOWS}.items():
        write_json(workflows / f"{name}.json", document)
    open_public_folder(settings, public)
    settings.WILMER_MEMORY_MODEL = f"{__name__}.build_model"
    MODEL.answer, MODEL.calls = FakeModel().answer, []
    ref = build_discussion(public, "anna", chunks=chunks)
    if has_chat:
        attach(ref, build_chat(chat_texts(chunks)))
    return ref


def chat_texts(chunks: int = CHUNKS) -> list[str]:
    spoken = [text for number in range(1, chunks + 1) for text in (f"aside {number}", f"message {number}")]
    return [*spoken, "and then", "so what", "well"]


def start(ref: DiscussionRef, kind: Kind, first: int | None = None, last: int | None = None) -> int:
    """A job that waits."""
    return start_regeneration(ref, RegenerationRequest(kind, first, last), {}, actor="anna")


def finish(ref: DiscussionRef, kind: Kind, first: int | None = None, last: int | None = None) -> int:
    """A job that has made its drafts."""
    job_id = start(ref, kind, first, last)
    execute_job(job_id)
    return get_job(job_id).card.id


def read_texts(public: Path, name: str = "memories") -> list[str]:
    """What a list file holds."""
    path = public / "DiscussionIds" / "anna" / f"{name}.json"
    return [entry["text_block"] for entry in json.loads(path.read_text("utf-8"))]


def read_hashes(public: Path, name: str = "memories") -> list[str]:
    path = public / "DiscussionIds" / "anna" / f"{name}.json"
    return [entry["hash"] for entry in json.loads(path.read_text("utf-8"))]


def edit_outside(public: Path, number: int, text: str) -> None:
    """Another program changes one chunk."""
    path = public / "DiscussionIds" / "anna" / "memories.json"
    entries = json.loads(path.read_text("utf-8"))
    entries[number - 1]["text_block"] = text
    write_json(path, entries)
