"""What Why draws under other thresholds is what the writer makes when the chat is gone through turn by turn."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memory.engine.memory_settings import MemorySettings
from memory.engine.simulation import simulate
from memory.engine.triggers import WriterPath
from memory.services.creation import create_memories
from memory.types import Message
from tests.memory.services.worlds import FILE_SETTINGS, VECTOR_SETTINGS, FakeModel, build_workshop, memory_json

ROLES = ("user", "assistant")


def build_chat(count: int) -> list[Message]:
    """Messages of very different lengths, each with its number, after what the client says to the model."""
    told = [f"message <{at}> " + "word " * (at * 7 % 23) for at in range(count)]
    return [Message("system", "be kind"), *(Message(ROLES[at % 2], text) for at, text in enumerate(told))]


def replay(tmp_path: Path, chat: list[Message], settings: dict[str, object], path: WriterPath) -> list[tuple[int, int]]:
    """First and last message of each model call, in order."""
    model = FakeModel(memory_json if path is WriterPath.VECTOR else lambda text: f"memory of {text}")
    workshop = build_workshop(tmp_path, model, settings)
    for at, message in enumerate(chat, 1):
        if message.role == "user":
            create_memories(workshop, chat[:at], path=path)
    found = [[int(number) for number in re.findall(r"message <(\d+)>", text)] for text in model.calls]
    return [(numbers[0], numbers[-1]) for numbers in found]


@pytest.mark.parametrize("path", list(WriterPath))
@pytest.mark.parametrize(("size", "messages", "lookback"), [(40, 6, 3), (120, 1000, 0), (10_000, 5, 2), (30, 2, 7)])
def test_simulated_chunks_are_those_of_a_replay(
    tmp_path: Path, path: WriterPath, size: int, messages: int, lookback: int
) -> None:
    chat = build_chat(50)
    names = (("chunkEstimatedTokenSize", "maxMessagesBetweenChunks") if path is WriterPath.FILE else
             ("vectorMemoryChunkEstimatedTokenSize", "vectorMemoryMaxMessagesBetweenChunks"))  # fmt: skip
    usual = FILE_SETTINGS if path is WriterPath.FILE else VECTOR_SETTINGS
    changed = {**usual, names[0]: size, names[1]: messages, "lookbackStartTurn": lookback}

    made = replay(tmp_path, chat, changed, path)

    found = MemorySettings(changed)
    thresholds = found.file_thresholds if path is WriterPath.FILE else found.vector_thresholds
    simulated = simulate(chat, thresholds, path).chunks
    assert made == [(chunk.span.start, chunk.span.end - 1) for chunk in simulated]
