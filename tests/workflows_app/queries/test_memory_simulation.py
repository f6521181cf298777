from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from memory.engine.memory_settings import MemorySettings
from memory.services.transcripts_sample import attach_sample_transcripts
from workflows_app.contexts.memory_words import MemoryWordsContext, describe_settings, describe_thresholds
from workflows_app.queries.memory_simulation import list_discussions, simulate_settings

ROOT = Path(__file__).resolve().parents[3] / "sample"


def test_settings_are_told_in_plain_words() -> None:
    values = {"chunkEstimatedTokenSize": 3000, "maxMessagesBetweenChunks": 10, "lookbackStartTurn": 5}

    sentence = describe_thresholds(MemorySettings(values).file_thresholds)

    assert sentence == "One memory per about 3,000 tokens or 10 messages, the last 5 messages never."


def test_words_cover_vectors_state_and_condensing() -> None:
    values = {
        "useVectorForQualityMemory": True,
        "vectorMemoryWorkflowName": "Facts",
        "embeddingEndpointName": "E",
        "useStateDocument": True,
        "condenseMemories": True,
        "memoriesBeforeCondensation": 4,
        "memoryCondensationBuffer": 2,
    }

    text = " ".join(describe_settings(values))

    assert "writes vector memories, made by the workflow Facts" in text
    assert "gets a vector from E" in text
    assert "Every 4 file memories are condensed into one, the newest 2 never." in text
    assert "no workflow yet" in text


@pytest.fixture
def discussion(opened: Path, settings: Any, db: None) -> str:
    """A discussion of the sample, whose messages the console has."""
    shutil.copytree(ROOT / "Public" / "DiscussionIds", opened / "DiscussionIds")
    settings.WILMER_IS_SAMPLE = True
    attach_sample_transcripts(ROOT / "transcripts")
    return list_discussions()[0]


def test_smaller_thresholds_make_more_memories(discussion: str) -> None:
    few, many = (simulate_settings({"maxMessagesBetweenChunks": size}, discussion)[0].simulation for size in (30, 4))

    assert few and many and len(few.chunks) < len(many.chunks)


def test_bars_fill_the_simulated_chat(discussion: str) -> None:
    found = simulate_settings({}, discussion)

    context = MemoryWordsContext.build("Workflows/a/S.json", {}, found, (list_discussions(), discussion))

    assert len(context.paths[0].bars) > 0
    assert "model call" in context.paths[0].text


def test_without_a_chat_there_are_words_alone() -> None:
    assert [one.simulation for one in simulate_settings({})] == [None, None]
