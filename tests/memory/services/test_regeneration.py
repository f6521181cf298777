"""Plans: what would be sent, and why nothing can be."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from memory.engine.model_calls import Call, Watch
from memory.engine.regeneration import Kind, Plan, RegenerationRequest
from memory.errors import ChunkNotFoundError, TranscriptMissingError
from memory.models import Job
from memory.queries.jobs import JobState, get_job
from memory.services.job_running import execute_job
from memory.services.regeneration import find_plan, plan_regeneration, start_regeneration
from memory.types import DiscussionRef
from memory.wiring import open_vector_database
from tests.builders import hash_of
from tests.chats import attach, build_chat
from tests.memory.regenerating import MODEL, chat_texts, edit_outside, finish, open_world
from wilmer_site.lib.errors import ConflictError, InvalidError

pytestmark = pytest.mark.django_db


@pytest.fixture
def ref(tmp_path: Path, settings: Any) -> DiscussionRef:
    return open_world(tmp_path, settings)


def plan(ref: DiscussionRef, kind: Kind, first: int | None = None, last: int | None = None) -> Plan:
    return plan_regeneration(ref, RegenerationRequest(kind, first, last), {})


def test_a_plan_shows_the_prompts_that_are_then_sent(ref: DiscussionRef) -> None:
    found = plan(ref, Kind.CHUNKS, 2)

    (prompt,) = found.calls[0].prompts
    assert prompt.system_prompt == "You remember."
    assert prompt.prompt.startswith("Before: Chunk 1: Anna")
    assert prompt.prompt.endswith("Piece: aside 2\nmessage 2")
    assert (found.call_count, found.model_calls, found.endpoints) == (1, 1, ("Endpoint",))
    assert found.token_estimate == prompt.token_estimate
    assert MODEL.calls == []


def test_every_kind_has_a_plan(ref: DiscussionRef) -> None:
    for kind in set(Kind) - {Kind.EMBED}:
        assert plan(ref, kind, 1, 2).digest


def test_without_a_chat_the_refusal_says_to_import_it(tmp_path: Path, settings: Any) -> None:
    ref = open_world(tmp_path, settings, has_chat=False)

    with pytest.raises(TranscriptMissingError, match="Import the chat"):
        plan(ref, Kind.CHUNKS, 1)
    assert find_plan(ref, RegenerationRequest(Kind.CHUNKS, 1), {}).needs_chat


def test_a_chunk_whose_message_is_gone_cannot_be_made_anew(tmp_path: Path, settings: Any) -> None:
    ref = open_world(tmp_path, settings, has_chat=False)
    attach(ref, build_chat([text for text in chat_texts() if text != "message 2"]))

    with pytest.raises(InvalidError, match="Chunk 2 cannot be made anew"):
        plan(ref, Kind.CHUNKS, 2)
    found = plan(ref, Kind.CHUNKS, 1, 3)
    assert [spec.target["number"] for spec in found.specs] == [1, 3]
    assert "messages of both" in " ".join(found.notes)


def test_a_chunk_that_is_not_there_is_said_to_be_so(ref: DiscussionRef) -> None:
    with pytest.raises(ChunkNotFoundError, match="no chunk 9"):
        plan(ref, Kind.CHUNKS, 9)


def test_a_range_the_wrong_way_round_is_refused(ref: DiscussionRef) -> None:
    with pytest.raises(InvalidError, match="no range"):
        plan(ref, Kind.CHUNKS, 3, 2)


def test_a_plan_that_changed_is_not_started(ref: DiscussionRef, tmp_path: Path) -> None:
    digest = plan(ref, Kind.CHUNKS, 2).digest
    edit_outside(tmp_path / "Public", 1, "changed")

    with pytest.raises(ConflictError, match="has changed"):
        start_regeneration(ref, RegenerationRequest(Kind.CHUNKS, 2), {}, actor="anna", digest=digest)


def test_later_chunks_see_what_earlier_ones_became(ref: DiscussionRef) -> None:
    seen: list[str] = []

    class Listening:
        def ask(self, call: Call) -> str:
            seen.append(getattr(call, "inputs", ("", ""))[1])
            return f"new {len(seen)}"

    MODEL.answer = lambda _: "unused"
    settings_model = MODEL.ask
    try:
        MODEL.ask = Listening().ask  # type: ignore[method-assign]
        finish(ref, Kind.CHUNKS, 1, 2)
    finally:
        MODEL.ask = settings_model  # type: ignore[method-assign]
    assert seen == ["No preceding memories to show", "new 1"]


def test_the_index_is_rebuilt_without_drafts(ref: DiscussionRef) -> None:
    job_id = finish(ref, Kind.INDEX)

    card = get_job(job_id).card
    assert (card.state, card.done) == (JobState.APPLIED, 2)
    assert not card.draft_counts


class CountingEmbedder:
    model = "counting"

    def embed(self, texts: list[str]) -> list[list[float]]:
        return [[float(len(text)), 1.0] for text in texts]


def build_embedder(endpoint: str, watch: Watch) -> CountingEmbedder:
    assert endpoint == "Vectors"
    return CountingEmbedder()


class ImpatientEmbedder(CountingEmbedder):
    """Somebody cancels while the server is asked."""

    def __init__(self, endpoint: str, watch: Watch) -> None:
        self.watch = watch

    def embed(self, texts: list[str]) -> list[list[float]]:
        Job.objects.update(cancel_requested=True)
        while not self.watch.is_cancelled():
            time.sleep(0.05)
        raise ConflictError("The work was cancelled.")


def name_embedder(settings: Any, tmp_path: Path, name: str) -> None:
    settings.WILMER_MEMORY_EMBEDDER = f"{__name__}.{name}"
    document = next((tmp_path / "Public" / "Configs" / "Workflows").rglob("Memory.json"))
    document.write_text('{"embeddingEndpointName": "Vectors"}')


def test_cancelling_ends_a_request_for_vectors(ref: DiscussionRef, settings: Any, tmp_path: Path) -> None:
    name_embedder(settings, tmp_path, "ImpatientEmbedder")
    job_id = start_regeneration(ref, RegenerationRequest(Kind.EMBED), {}, actor="anna")

    assert execute_job(job_id) is JobState.CANCELLED
    assert not open_vector_database(ref).embedding_counts().get("counting")


def test_memories_get_vectors_of_the_endpoint(ref: DiscussionRef, settings: Any, tmp_path: Path) -> None:
    name_embedder(settings, tmp_path, "build_embedder")

    job_id = start_regeneration(ref, RegenerationRequest(Kind.EMBED), {}, actor="anna")

    assert execute_job(job_id) is JobState.APPLIED
    assert open_vector_database(ref).embedding_counts()["counting"] == 2


def test_without_an_embeddings_endpoint_the_refusal_names_the_setting(ref: DiscussionRef) -> None:
    with pytest.raises(InvalidError, match="embeddingEndpointName"):
        plan(ref, Kind.EMBED)


def test_the_summary_workflow_of_the_user_gives_the_prompts(ref: DiscussionRef) -> None:
    found = plan(ref, Kind.SUMMARY)

    assert found.call_count == 2
    assert found.calls[0].prompts[0].system_prompt == "You sum up."
    assert found.calls[1].is_provisional
    assert "(the summary after call 1)" in found.calls[1].prompts[0].prompt


def test_a_summary_from_a_later_chunk_says_where_it_begins(ref: DiscussionRef) -> None:
    assert "built-in" not in " ".join(plan(ref, Kind.SUMMARY, 3).notes)
    assert plan(ref, Kind.SUMMARY, 3).specs[0].target["base"] == "The story so far."
    assert "goes on from the present text" in " ".join(plan(ref, Kind.SUMMARY, 2).notes)


def test_vector_memories_that_were_never_made_cannot_be_made_anew(ref: DiscussionRef) -> None:
    with pytest.raises(InvalidError, match="No vector memories were made"):
        plan(ref, Kind.VECTOR_MEMORIES, 7, 8)


def test_condensing_needs_two_chunks(ref: DiscussionRef) -> None:
    assert plan(ref, Kind.CONDENSE).specs[0].target["hashes"] == [hash_of("message 1"), hash_of("message 2")]
    with pytest.raises(InvalidError, match="two chunks"):
        plan(ref, Kind.CONDENSE, 2)
