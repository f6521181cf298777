"""Whatever a model answers: the right memories, or a stated reason with the raw reply kept (traps M1, M2)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.engine.llm_json import ReplyKind, parse_reply
from memory.engine.triggers import WriterPath
from memory.services.creation import create_memories
from memory.services.results import ChunkOutcome
from memory.services.workshop import Workshop
from tests.memory.services.worlds import VECTOR_SETTINGS, FakeModel, build_workshop, talk

GOOD = {"title": "Pots", "summary": "Three clay pots.", "entities": ["Idris"], "key_phrases": ["clay pots"]}
TEXT = json.dumps(GOOD)
SIZE = 2_000_000
RECOVERED = {
    "prose with braces before": f"Use {{braces}}: {TEXT}",
    "prose with braces after": f"{TEXT} as in {{this}}",
    "a note with a number": f"Note [1]: {TEXT}",
    "thinking aloud": f"<think>{{maybe}} [so]</think>{TEXT}",
    "a wrapper": f'{{"memories": [{TEXT}]}}',
    "a fence in capitals": f"```JSON\n[{TEXT}]\n```",
    "a valid object before": f'{{"plan": 1}} {TEXT}',
}
REFUSED = {
    "a list as title": {**GOOD, "title": ["Pots"]},
    "an object as summary": {**GOOD, "summary": {"text": "Pots"}},
    "no summary at all": {**GOOD, "summary": None},
    "half a character": {**GOOD, "summary": "Pots \ud800"},
    "half a character in a list": {**GOOD, "entities": ["\udc00"]},
    "an object as entities": {**GOOD, "entities": {"name": "Idris"}},
    "an enormous number": {**GOOD, "title": 10**30},
}
HOPELESS = ["[{", '{"a": ', "```json", "```json```\n", '"', "{x} ", '[{"a": 1},] ', '{"\\', "[[", "x ", "```x\n```\n"]


def run(tmp_path: Path, reply: str) -> tuple[ChunkOutcome, Workshop]:
    """The outcome of the first chunk of two, whose second one always works."""
    model = FakeModel(lambda text: reply if text == "message 1" else TEXT)
    workshop = build_workshop(tmp_path, model, VECTOR_SETTINGS)
    return create_memories(workshop, talk(3), path=WriterPath.VECTOR).chunks[0], workshop


@pytest.mark.parametrize("reply", RECOVERED.values(), ids=RECOVERED.keys())
def test_memories_amid_other_things_are_stored_once(reply: str, tmp_path: Path) -> None:
    outcome, workshop = run(tmp_path, reply)

    assert outcome.is_stored
    assert [row.text for row in workshop.database.list_memories(offset=0, limit=9)] == ["Three clay pots."] * 2
    assert workshop.database.count_progress() == 2


@pytest.mark.parametrize("memory", REFUSED.values(), ids=REFUSED.keys())
def test_metadata_of_the_wrong_type_are_refused_with_a_reason(memory: dict[str, object], tmp_path: Path) -> None:
    reply = json.dumps([memory])

    outcome, workshop = run(tmp_path, reply)

    assert (outcome.is_stored, len(outcome.refused)) == (False, 1)
    assert outcome.refused[0].endswith(".")
    check_only_the_other_chunk_is_stored(outcome, workshop, reply)


def check_only_the_other_chunk_is_stored(outcome: ChunkOutcome, workshop: Workshop, reply: str) -> None:
    assert [failed.raw_reply for failed in workshop.log.list_failed(workshop.ref)] == [reply]
    assert outcome.hash not in [row.message_hash for row in workshop.database.list_progress()]
    assert (workshop.database.count_memories(), workshop.database.count_progress()) == (1, 1)


def test_good_memories_beside_a_refused_one_are_stored(tmp_path: Path) -> None:
    outcome, workshop = run(tmp_path, json.dumps([REFUSED["half a character"], GOOD, {"title": "only"}]))

    assert (outcome.is_stored, len(outcome.memory_ids), len(outcome.refused)) == (True, 1, 1)
    assert outcome.reply
    assert [dropped.reason for dropped in outcome.reply.dropped] == ["lacks summary, entities, key_phrases"]
    assert workshop.database.count_progress() == 2


@pytest.mark.parametrize("reply", ["", "nothing", "[]", '{"title": "cut off", "entities": ["a", "b"', "[" * 5000])
def test_a_reply_without_memories_is_kept_as_it_was(reply: str, tmp_path: Path) -> None:
    outcome, workshop = run(tmp_path, reply)

    check_only_the_other_chunk_is_stored(outcome, workshop, reply)
    assert outcome.reply
    assert outcome.reply.kind is not ReplyKind.MEMORIES


@pytest.mark.parametrize("unit", HOPELESS)
def test_two_megabytes_of_garbage_are_given_up(unit: str) -> None:
    reply = (unit * (SIZE // len(unit) + 1))[:SIZE]

    assert parse_reply(reply).memories == ()


def test_memories_behind_a_long_preamble_are_found() -> None:
    assert parse_reply("I think {so} and [so]. " * 2000 + TEXT).memories == (GOOD,)
    assert len(parse_reply("\n".join([TEXT] * 20_000)).memories) == 20_000


@pytest.mark.parametrize("depth", [*range(300, 1100, 25), 3000, 200_000])
@pytest.mark.parametrize("key", ["entities", "topics", "title"])
def test_deep_values_are_stored_or_refused(depth: int, key: str, tmp_path: Path) -> None:
    deep = "[" * depth + "]" * depth
    reply = f'{TEXT[:-1]}, "{key}": {deep}}}'

    outcome, workshop = run(tmp_path, reply)

    if outcome.is_stored:
        assert workshop.database.list_memories(offset=0, limit=9)
    else:
        check_only_the_other_chunk_is_stored(outcome, workshop, reply)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(memory=st.fixed_dictionaries(dict.fromkeys(GOOD, ANYTHING), optional={"topics": ANYTHING}))
def test_any_json_is_stored_or_refused(memory: dict[str, object], tmp_path_factory: pytest.TempPathFactory) -> None:
    outcome, workshop = run(tmp_path_factory.mktemp("any"), json.dumps(memory))

    assert workshop.database.count_progress() == 1 + outcome.is_stored
    assert bool(outcome.refused) is not outcome.is_stored
