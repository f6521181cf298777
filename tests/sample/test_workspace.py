from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memory.engine.hashing import list_hashes
from memory.engine.messages import build_conversation, drop_system
from memory.engine.summary_plan import count_behind
from memory.stores.json_files import parse_entries
from memory.types import Entry
from sample.build.replay import PLACEHOLDER
from sample.build.vector_file import EMBEDDING_MODEL, has_same_rows, list_rows
from sample.build.workspace import SAMPLE_ROOT, build_workspace

IDS = ("harbour-lights", "allotment-diary", "レシピ帳-kuchyně")
PUBLIC = SAMPLE_ROOT / "Public"


def file_of(discussion_id: str, name: str) -> Path:
    nested = PUBLIC / "DiscussionIds" / discussion_id / f"{name}.json"
    return nested if nested.exists() else PUBLIC / "DiscussionIds" / f"{discussion_id}_{name}.json"


def database_of(discussion_id: str) -> Path:
    nested = PUBLIC / "DiscussionIds" / discussion_id / "vector_memory.db"
    return nested if nested.exists() else PUBLIC / f"{discussion_id}_vector_memory.db"


def read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def entries_of(discussion_id: str, name: str) -> tuple[Entry, ...]:
    text = file_of(discussion_id, name).read_text(encoding="utf-8")
    return parse_entries(text, may_be_lines=False).entries


def hashes_of(discussion_id: str) -> list[str]:
    raw = read_json(SAMPLE_ROOT / "transcripts" / discussion_id / "messages.json")
    return list_hashes(drop_system(build_conversation(raw).messages))


@pytest.fixture(scope="module")
def rebuilt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("sample")
    build_workspace(target)
    return target


def list_built(root: Path, pattern: str) -> list[Path]:
    built = [path for folder in ("Public", "transcripts") for path in (root / folder).rglob(pattern)]
    return sorted(path.relative_to(root) for path in built if "Configs" not in path.parts)


@pytest.mark.parametrize("pattern", ["*.json", "*.md*"])
def test_rebuilding_gives_the_committed_bytes(rebuilt: Path, pattern: str) -> None:
    assert list_built(rebuilt, pattern) == list_built(SAMPLE_ROOT, pattern)
    for name in list_built(rebuilt, pattern):
        assert (rebuilt / name).read_bytes() == (SAMPLE_ROOT / name).read_bytes(), name


def test_rebuilding_gives_the_committed_rows(rebuilt: Path) -> None:
    assert len(list_built(rebuilt, "*.db")) == len(IDS)
    for name in list_built(rebuilt, "*.db"):
        assert has_same_rows(rebuilt / name, SAMPLE_ROOT / name), name


def test_rebuilding_leaves_equal_databases_alone(rebuilt: Path) -> None:
    before = {name: (rebuilt / name).stat().st_mtime_ns for name in list_built(rebuilt, "*.db")}
    build_workspace(rebuilt)
    assert before == {name: (rebuilt / name).stat().st_mtime_ns for name in before}


@pytest.mark.parametrize("discussion_id", IDS)
def test_no_two_messages_are_alike(discussion_id: str) -> None:
    hashes = hashes_of(discussion_id)
    assert len(set(hashes)) == len(hashes)


@pytest.mark.parametrize("discussion_id", IDS)
def test_every_entry_names_a_message_in_order(discussion_id: str) -> None:
    hashes = hashes_of(discussion_id)
    positions = [hashes.index(entry.hash) for entry in entries_of(discussion_id, "memories")]
    assert positions == sorted(set(positions))


@pytest.mark.parametrize("discussion_id", IDS)
def test_hash_log_names_messages_in_order(discussion_id: str) -> None:
    hashes = hashes_of(discussion_id)
    positions = [hashes.index(row[2]) for row in list_rows(database_of(discussion_id))["vector_memory_hash_log"]]
    assert positions == sorted(set(positions))


@pytest.mark.parametrize("discussion_id", IDS)
def test_timestamps_name_all_messages_but_the_last_reply(discussion_id: str) -> None:
    stamps = read_json(file_of(discussion_id, "timestamps"))
    assert set(stamps) == {*hashes_of(discussion_id)[:-1], PLACEHOLDER}
    assert list(stamps)[-1] == PLACEHOLDER


@pytest.mark.parametrize("discussion_id", IDS)
def test_each_message_has_a_time(discussion_id: str) -> None:
    times = read_json(SAMPLE_ROOT / "transcripts" / discussion_id / "times.json")
    assert times == sorted(times)
    assert len(times) == len(hashes_of(discussion_id))


@pytest.mark.parametrize(
    ("discussion_id", "messages", "chunks", "memories", "behind"),
    [("harbour-lights", 92, 7, 31, 3), ("allotment-diary", 60, 5, 35, 0), ("レシピ帳-kuchyně", 28, 3, 10, 0)],
)
def test_counts(discussion_id: str, messages: int, chunks: int, memories: int, behind: int) -> None:
    ledger = entries_of(discussion_id, "memories")
    assert len(hashes_of(discussion_id)) == messages
    assert len(ledger) == chunks
    assert len(list_rows(database_of(discussion_id))["memories"]) == memories
    assert count_behind(entries_of(discussion_id, "chat_summary"), ledger) == behind


@pytest.mark.parametrize(("discussion_id", "condensed"), [("harbour-lights", 2), ("allotment-diary", 1)])
def test_tracker_names_the_last_condensed_entry(discussion_id: str, condensed: int) -> None:
    tracker = read_json(file_of(discussion_id, "condensation_tracker"))
    assert tracker == {"lastCondensationHash": entries_of(discussion_id, "memories")[condensed - 1].hash}


@pytest.mark.parametrize("discussion_id", IDS)
def test_every_memory_has_one_search_row(discussion_id: str) -> None:
    rows = list_rows(database_of(discussion_id))
    assert [row[0] for row in rows["memories"]] == [row[0] for row in rows["memories_fts"]]
    assert [row[2] for row in rows["memories"]] == [row[5] for row in rows["memories_fts"]]


@pytest.mark.parametrize("discussion_id", IDS[:2])
def test_every_memory_has_a_vector(discussion_id: str) -> None:
    rows = list_rows(database_of(discussion_id))
    vectors = rows["memory_embeddings"]
    assert [row[0] for row in vectors] == [row[0] for row in rows["memories"]]
    assert {(row[1], row[2], len(row[3])) for row in vectors} == {(EMBEDDING_MODEL, 256, 1024)}


def test_legacy_database_has_no_table_of_vectors() -> None:
    assert "memory_embeddings" not in list_rows(database_of(IDS[2]))


@pytest.mark.parametrize("discussion_id", IDS[:2])
@pytest.mark.parametrize("name", ["state_document.md", "state_document.md.bak"])
def test_state_documents_are_markdown(discussion_id: str, name: str) -> None:
    text = (PUBLIC / "DiscussionIds" / discussion_id / name).read_text(encoding="utf-8")
    assert text.startswith("# ")
    assert text == text.strip()
    assert text.count("\n## ") >= 3


def test_state_document_kept_enough_of_its_backup() -> None:
    for discussion_id in IDS[:2]:
        folder = PUBLIC / "DiscussionIds" / discussion_id
        sizes = [len((folder / name).read_text("utf-8")) for name in ("state_document.md", "state_document.md.bak")]
        assert sizes[0] >= 0.5 * sizes[1]


def test_memory_files_are_ascii() -> None:
    for path in (PUBLIC / "DiscussionIds").rglob("*.json"):
        assert path.read_bytes().isascii(), path.name
        assert not path.read_bytes().endswith(b"\n"), path.name
