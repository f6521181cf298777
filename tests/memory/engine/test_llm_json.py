"""The patient search for memories (traps M1, M2)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.engine.llm_json import ReplyKind, parse_reply

GOOD = '{"title": "Pots", "summary": "Three clay pots.", "entities": ["Idris"], "key_phrases": ["clay pots"]}'


@pytest.mark.parametrize(
    ("output", "count"),
    [
        (f"Note {{a}} first. {GOOD}", 1),
        (f"{GOOD} and {{b}} after", 1),
        (f"{GOOD}\n{GOOD}", 2),
        (f"Note [1]: {GOOD}", 1),
        (f"<think>maybe {{this}}</think>\n{GOOD}", 1),
        (f'{{"memories": [{GOOD}, {GOOD}]}}', 2),
        (f"```json\nnot yet\n```\n```json\n[{GOOD}]\n```", 1),
        (f"[{GOOD}] (see note [2])", 1),
    ],
)
def test_memories_are_recovered_where_the_first_rule_finds_none(output: str, count: int) -> None:
    reply = parse_reply(output)

    assert reply.is_recovered
    assert len(reply.memories) == count


@pytest.mark.parametrize(
    "output", ['{"title": "Cut", "entities": ["a", "b"', '{"memories": [' + GOOD + ', {"title": "B", "summ']
)
def test_a_truncated_object_yields_nothing(output: str) -> None:
    reply = parse_reply(output)

    assert reply.memories == ()
    assert reply.kind is ReplyKind.UNREADABLE


@pytest.mark.parametrize(
    ("output", "kind"),
    [
        (None, ReplyKind.EMPTY),
        (" \n", ReplyKind.EMPTY),
        ("[]", ReplyKind.NOTHING_TO_STORE),
        ("{}", ReplyKind.NOTHING_TO_STORE),
        ("Nothing to say.", ReplyKind.UNREADABLE),
        ('{"title": "A"}', ReplyKind.INCOMPLETE),
        (GOOD, ReplyKind.MEMORIES),
    ],
)
def test_kinds_of_nothing_are_told_apart(output: str | None, kind: ReplyKind) -> None:
    assert parse_reply(output).kind is kind


def test_what_is_dropped_is_named_with_its_reason() -> None:
    reply = parse_reply(f'[{GOOD}, {{"title": "Bad"}}, "loose", 7]')

    reasons = [dropped.reason for dropped in reply.dropped]
    assert reasons == [
        "lacks summary, entities, key_phrases",
        "is not an object but text",
        "is not an object but a number",
    ]


@given(st.text(alphabet=st.sampled_from('{}[]"`:,\\ \nabjson1')))
def test_no_answer_breaks_the_reader(output: str) -> None:
    parse_reply(output)


@given(st.lists(st.fixed_dictionaries({key: st.text() for key in ("title", "summary", "entities", "key_phrases")})))
def test_what_is_written_as_json_is_read_back(memories: list[dict[str, str]]) -> None:
    assert list(parse_reply(json.dumps(memories)).memories) == memories


def test_a_very_deep_answer_is_given_up_quietly() -> None:
    assert parse_reply("[" * 100_000).memories == ()


@pytest.mark.parametrize("output", ["[{" * 20_000, '{"a": ' * 50_000, "```json" * 5_000, '"' * 100_000 + "{"])
def test_a_hopeless_long_answer_is_given_up(output: str) -> None:
    assert parse_reply(output).kind is ReplyKind.UNREADABLE
