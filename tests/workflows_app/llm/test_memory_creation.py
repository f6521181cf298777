"""The sample workspace remembers a conversation without any server."""

from __future__ import annotations

import json
import shutil
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from memory.engine.memory_settings import MemorySettings
from memory.engine.messages import build_conversation
from memory.services.creation import create_memories
from memory.services.results import CreationStatus
from memory.services.workshop import Workshop
from memory.stores.discussion_folders import DiscussionFolders
from memory.stores.public_folder import PublicFolder
from memory.types import DiscussionId, DiscussionRef
from tests.workflows_app.builders import NOON
from workflows_app.engine.run import Run
from workflows_app.llm.client import ModelClients
from workflows_app.llm.clients import build_model_clients
from workflows_app.llm.embeddings import EndpointEmbedder
from workflows_app.llm.memory_model import build_resolver, build_run_model
from workflows_app.nodes.registry import build_registry
from workflows_app.stores.config_files import ConfigFiles
from workflows_app.stores.workflow_locks import WorkflowLocks

SAMPLE = Path(__file__).resolve().parents[3] / "sample"


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SAMPLE / "Public", tmp_path / "Public"))


def build_workshop(public: Path, run: Run) -> Workshop:
    folders = DiscussionFolders(PublicFolder(public, public / "Configs", public / "DiscussionIds"))
    files = folders.open_or_create(DiscussionRef(DiscussionId("fresh")), limit_bytes=10**8)
    configs: Any = run.configs
    return Workshop(
        files=files,
        settings=MemorySettings(configs.read_settings(configs.user["discussionIdMemoryFileWorkflowSettings"])),
        model=build_run_model(run, build_registry()),
        embedder=EndpointEmbedder(configs.read_target("Built-In-Embeddings")),
        resolve=build_resolver(run),
    )


def test_sample_conversation_becomes_memories(sample: Path) -> None:
    raw = json.loads((SAMPLE / "transcripts/allotment-diary/messages.json").read_text(encoding="utf-8"))[:12]
    conversation = build_conversation(raw)
    configs = ConfigFiles(sample / "Configs", "gardener")
    messages = [{"role": message.role, "content": message.text} for message in conversation.messages]
    locks = WorkflowLocks(configs.paths.lock_database(), "test", lambda: NOON)
    now: datetime = NOON
    run = Run(configs, locks, messages, lambda: now, facilities={ModelClients: build_model_clients()})
    workshop = build_workshop(sample, run)

    result = create_memories(workshop, conversation.messages)

    memories = workshop.database.list_memories(offset=0, limit=100)
    assert result.status is CreationStatus.DONE
    assert any("Edda" in memory.text for memory in memories)
    assert all(memory.embedding_models == ("wordllama-l2-256",) for memory in memories)
    assert "Edda" in workshop.files.read_state_document().text
