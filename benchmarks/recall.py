"""How often a question finds the memory that answers it: keyword, semantic and hybrid search on the sample workspace.

The questions and the memories that answer them were labelled by hand (`recall_questions.json`). For keyword search a
question is cut into its content words; semantic search gets the question itself and the built-in English word vectors.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks import Cell, Table, best_milliseconds
from memory.stores.discussion_folders import DiscussionFolders
from memory.stores.public_folder import PublicFolder
from memory.stores.vector_db import VectorDatabase
from memory.stores.vector_embeddings import embed_memories
from memory.stores.vector_recall import MODES, RecallRequest, recall_memories
from memory.types import DiscussionId, DiscussionRef
from workflows_app.llm.embeddings import BUILT_IN_MODEL, EndpointEmbedder
from workflows_app.types import Target

FOLDER = Path(__file__).resolve().parent
SAMPLE = FOLDER.parent / "sample" / "Public"
DEPTHS = (1, 5, 10)
NOW = datetime(2026, 12, 1, tzinfo=UTC)

SMALL_WORDS = """
    a all an and are at be became become can came come did do does for from give go had has have held her how i in is
    it its kept may much many must no not now of often on or real s say should so the there this to was were what when
    where which who whom why will with
"""


@dataclass(frozen=True, slots=True)
class Question:
    """One question about a discussion, and the ids of the memories that answer it."""

    discussion: str
    text: str
    answers: frozenset[int]

    @property
    def keywords(self) -> str:
        """Its content words as WilmerAI's keyword search wants them."""
        words = re.findall(r"[^\W_]+", self.text)
        return "; ".join(word for word in words if word.lower() not in SMALL_WORDS.split())


def measure() -> Table:
    """Recall at 1, 5 and 10 and the time of a search, one row per mode."""
    questions = read_questions()
    folder = Path(tempfile.mkdtemp(prefix="wilmer-bench-"))
    try:
        embed = build_embedder()
        databases = {name: copy_database(folder, name, embed) for name in {item.discussion for item in questions}}
        rows = [measure_mode(mode, questions, databases, embed) for mode in MODES]
    finally:
        shutil.rmtree(folder)
    setup = f"{len(questions)} labelled questions on {len(databases)} sample discussions; vectors of {BUILT_IN_MODEL}"
    return Table("Recall of memories", setup, rows)


def read_questions() -> list[Question]:
    """All labelled questions."""
    items = json.loads((FOLDER / "recall_questions.json").read_text(encoding="utf-8"))
    return [Question(item["discussion"], item["question"], frozenset(item["answers"])) for item in items]


def build_embedder() -> Callable[[list[str]], Sequence[Sequence[float]]]:
    """The built-in embedder."""
    values: Mapping[str, Any] = {"modelNameToSendToAPI": BUILT_IN_MODEL}
    target = Target("built-in", dict(values), {"type": "builtinEmbeddings"})
    return lambda texts: EndpointEmbedder(target).embed(texts) or []


def copy_database(folder: Path, name: str, embed: Callable[[list[str]], Sequence[Sequence[float]]]) -> VectorDatabase:
    """A copy of a sample discussion's database in which every memory has a vector."""
    opened = DiscussionFolders(PublicFolder(SAMPLE, SAMPLE / "Configs", SAMPLE / "DiscussionIds"))
    ref = DiscussionRef(DiscussionId(name))
    path = folder / f"{name}.db"
    shutil.copy(opened.open(ref, limit_bytes=10_000_000).vector_path(), path)
    list(embed_memories(path, BUILT_IN_MODEL, embed))
    return VectorDatabase(path, ref.discussion_id)


def measure_mode(
    mode: str,
    questions: Sequence[Question],
    databases: Mapping[str, VectorDatabase],
    embed: Callable[[list[str]], Sequence[Sequence[float]]],
) -> Mapping[str, Cell]:
    """The share of questions whose answer is among the first 1, 5 and 10 memories."""

    def ask_all() -> list[list[int]]:
        return [ask(mode, question, databases[question.discussion], embed) for question in questions]

    found = ask_all()
    shares = {f"recall@{depth}": round(share_of(questions, found, depth), 3) for depth in DEPTHS}
    return {"mode": mode, **shares, "ms a search": round(best_milliseconds(ask_all, rounds=2) / len(questions), 2)}


def ask(
    mode: str,
    question: Question,
    database: VectorDatabase,
    embed: Callable[[list[str]], Sequence[Sequence[float]]],
) -> list[int]:
    """Ids of the memories found, best first."""
    request = RecallRequest(
        question.keywords, mode=mode, limit=max(DEPTHS), semantic_query=question.text, model=BUILT_IN_MODEL
    )
    memories = recall_memories(database, request, now=NOW, embed=lambda text: embed([text])[0])
    return [memory.id for memory in memories]


def share_of(questions: Sequence[Question], found: Sequence[Sequence[int]], depth: int) -> float:
    """How many of the questions have an answer among the first `depth` memories, from 0 to 1."""
    hits = [not question.answers.isdisjoint(ids[:depth]) for question, ids in zip(questions, found, strict=True)]
    return sum(hits) / len(hits)
