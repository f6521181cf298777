"""The vector database and searches in it."""

from __future__ import annotations

from ninja import Schema
from pydantic import Field

from memory.engine.versions import memory_version
from memory.results import DatabaseState, SearchHit, SearchMode, SearchResult
from memory.schemas.base import JsonObject, PageSchema, Text
from memory.schemas.files import FileSchema
from memory.types import VectorMemory


class VectorMemorySchema(Schema):
    """One row of the vector database."""

    id: int
    discussion_id: Text = Field(description="As stored in the row.")
    text: Text
    title: Text
    entities: list[Text]
    key_phrases: list[Text]
    topics: list[Text]
    date_added: Text = Field(description="As stored: UTC, ISO 8601.")
    metadata: JsonObject = Field(description="The stored object; empty when metadata_problem tells why.")
    metadata_problem: Text | None
    embedding_models: list[Text]
    version: str = Field(description="Changes with text or metadata; for If-Match.")

    @staticmethod
    def resolve_version(obj: VectorMemory) -> str:
        """What a change compares."""
        return memory_version(obj.text, obj.metadata_json)

    @staticmethod
    def resolve_entities(obj: VectorMemory) -> tuple[str, ...]:
        """As texts, whatever form they were stored in."""
        return obj.listed("entities")

    @staticmethod
    def resolve_key_phrases(obj: VectorMemory) -> tuple[str, ...]:
        """As texts, whatever form they were stored in."""
        return obj.listed("key_phrases")

    @staticmethod
    def resolve_topics(obj: VectorMemory) -> tuple[str, ...]:
        """As texts, whatever form they were stored in."""
        return obj.listed("topics")


class VectorStoreSchema(Schema):
    """The vector database as a whole."""

    file: FileSchema = Field(validation_alias="report")
    state: DatabaseState
    problem: Text | None
    memory_count: int
    embedding_counts: dict[Text, int] = Field(description="Rows per embedding model.")
    schema_generation: str


class VectorMemoryPage(PageSchema):
    """Vector memories, and how the database stands on disk."""

    items: list[VectorMemorySchema]
    state: DatabaseState = Field(description="Tells an absent database from an empty one.")
    problem: Text | None


class KeywordShareSchema(Schema):
    """What one keyword gave to the score of one hit."""

    keyword: Text
    score: float = Field(description="All shares add up to bm25.")
    column_hits: dict[str, int]


class SearchHitSchema(Schema):
    """One memory found, and why."""

    discussion: Text
    memory: VectorMemorySchema
    rank: int
    score: float = Field(description="bm25 times recency_factor; smaller is better. 0 for exact text.")
    bm25: float
    recency_factor: float
    shares: list[KeywordShareSchema]
    is_expansion: bool

    @staticmethod
    def resolve_discussion(obj: SearchHit) -> str:
        """As text."""
        return obj.discussion.text


class SearchWarningSchema(Schema):
    """Something about the query that surprises people."""

    code: str
    message: Text
    keyword: Text | None


class SearchProblemSchema(Schema):
    """A discussion that could not be searched."""

    discussion: Text
    message: Text


class SearchSchema(Schema):
    """The answer to a search."""

    query: Text
    mode: SearchMode
    keywords: list[Text] = Field(description="The terms after splitting and cutting to 60.")
    match_text: Text = Field(description="The literal FTS5 expression; empty when there is nothing to ask.")
    hits: list[SearchHitSchema]
    warnings: list[SearchWarningSchema]
    matched: int = Field(description="Memories that match at all, whatever the limit.")
    searched: int
    state: DatabaseState = Field(description="Without hits: which kind of nothing.")
    problems: list[SearchProblemSchema]

    @staticmethod
    def resolve_query(obj: SearchResult) -> str:
        """As asked."""
        return obj.request.query

    @staticmethod
    def resolve_mode(obj: SearchResult) -> SearchMode:
        """As asked."""
        return obj.request.mode

    @staticmethod
    def resolve_problems(obj: SearchResult) -> list[dict[str, str]]:
        """With names."""
        return [{"discussion": ref.text, "message": message} for ref, message in obj.problems]
