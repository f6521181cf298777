"""Puts sources and rules together: sample/Public/DiscussionIds, the vector databases and sample/transcripts."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memory.engine.memory_settings import MemorySettings
from memory.engine.summary_plan import SummaryNode, parse_summary_node
from memory.stores.json_files import ListForm, format_entries, format_json
from memory.types import Entry
from sample.build.replay import Replay, put_texts, replay
from sample.build.sources import Source, SourceError, read_source
from sample.build.vector_file import VectorPlan, build_database, has_same_rows

SAMPLE_ROOT = Path(__file__).resolve().parent.parent
SOURCES = SAMPLE_ROOT / "sources"
WORKFLOWS = SAMPLE_ROOT / "Public" / "Configs" / "Workflows" / "gardener"


def list_sources() -> list[Source]:
    """Everything that is written by hand, one source for each discussion, in order of their names."""
    return [read_source(folder) for folder in sorted(SOURCES.iterdir())]


def build_workspace(target: Path) -> list[Path]:
    """Write memory files and transcripts of every discussion below `target` and list what was written.

    Files that already say the same are written again byte for byte, except databases, which are left alone.
    Raises SourceError when the sources do not fit the rules.
    """
    written: list[Path] = []
    for source in list_sources():
        state = replay_source(source)
        texts = [*_transcript_files(source), *_memory_files(source, state)]
        written += [_write(target / name, text) for name, text in texts]
        written.append(_write_database(target / _database_name(source), source, state))
    return written


def replay_source(source: Source) -> Replay:
    """What memory holds after this conversation; every entry's text is the stretch of messages it covers."""
    return replay(source.transcript, read_settings(), _read_summary_node(source.options["summary_workflow"]))


def read_settings() -> MemorySettings:
    """The memory settings document of the sample."""
    return MemorySettings(_read_json(WORKFLOWS / "_DiscussionId-MemoryFile-Workflow-Settings.json"))


def _read_summary_node(workflow: str) -> SummaryNode:
    nodes = _read_json(WORKFLOWS / f"{workflow}.json")["nodes"]
    return parse_summary_node(next(node for node in nodes if node["type"] == "chatSummarySummarizer"))


def _transcript_files(source: Source) -> Iterator[tuple[str, str]]:
    folder = f"transcripts/{source.discussion_id}"
    messages = [dict(message) for message in source.transcript.messages]
    yield f"{folder}/messages.json", json.dumps(messages, indent=2, ensure_ascii=False) + "\n"
    times = [time.isoformat() for time in source.transcript.times]
    yield f"{folder}/times.json", json.dumps(times, indent=2) + "\n"


def _memory_files(source: Source, state: Replay) -> Iterator[tuple[str, str]]:
    yield _memory_name(source, "memories"), _format(_take(source, "memories.md", state.ledger))
    yield _memory_name(source, "chat_summary"), _format(_take(source, "summary.md", state.summary))
    yield _memory_name(source, "timestamps"), format_json(state.timestamps)
    if state.tracker:
        yield _memory_name(source, "condensation_tracker"), format_json({"lastCondensationHash": state.tracker})
    for name, text in source.state_documents.items():
        yield f"Public/DiscussionIds/{source.discussion_id}/{name}", text


def _memory_name(source: Source, artefact: str) -> str:
    separator = "_" if source.options["layout"] == "flat" else "/"
    return f"Public/DiscussionIds/{source.discussion_id}{separator}{artefact}.json"


def _database_name(source: Source) -> str:
    if source.options["layout"] == "flat":
        return f"Public/{source.discussion_id}_vector_memory.db"
    return f"Public/DiscussionIds/{source.discussion_id}/vector_memory.db"


def _take(source: Source, name: str, entries: list[Entry]) -> list[Entry]:
    texts = source.ledger if name == "memories.md" else source.summary
    expected, found = [entry.text for entry in entries], list(texts)
    if expected != found:
        raise SourceError(f"{source.discussion_id}/{name} has sections {found}; the rules give {expected}.")
    return put_texts(entries, texts)


def _write_database(path: Path, source: Source, state: Replay) -> Path:
    has_embeddings = source.options["database_generation"] == "embeddings"
    plan = VectorPlan(source.discussion_id, state.vector_chunks, source.memories, has_embeddings)
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / path.name
        build_database(fresh, plan)
        if not (path.exists() and has_same_rows(fresh, path)):
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(fresh, path)
    return path


def _format(entries: list[Entry]) -> str:
    return format_entries(tuple(entries), ListForm.ARRAY)


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))
    return path


def _read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
