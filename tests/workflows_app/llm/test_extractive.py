"""What is picked without a model."""

from __future__ import annotations

import json

import pytest

from memory.engine.llm_json import ReplyKind, parse_reply
from workflows_app.llm import extractive_client
from workflows_app.llm.extractive import answer, pick_sentences, read_material
from workflows_app.llm.extractive_client import ExtractiveClient
from workflows_app.llm.requests import HttpRequest
from workflows_app.llm.salience import find_names, find_phrases, split_sentences
from workflows_app.types import Target

TALK = """User: Hi there! How are you?
Assistant: I'm well, thanks. What's new?
User: My sister Anna moved to Brno in March 2024. She's allergic to peanuts, so never bring satay.
Assistant: Noted. Anything else?
User: We decided on Friday 14 June at 7 pm. The budget is 1,200 crowns. I prefer dark beer. Bye!"""
FACTS = ("My sister Anna moved to Brno in March 2024.", "The budget is 1,200 crowns.", "I prefer dark beer.")


def test_facts_are_kept_and_small_talk_is_not() -> None:
    picked = pick_sentences(TALK, 400)

    assert set(FACTS) <= set(picked)
    assert not {"Hi there!", "Noted.", "How are you?", "Bye!"} & set(picked)


def test_order_is_kept_and_answers_repeat() -> None:
    picked = pick_sentences(TALK, 400)

    assert picked == sorted(picked, key=TALK.index)
    assert picked == pick_sentences(TALK, 400)


def test_limit_of_tokens() -> None:
    assert len(pick_sentences(TALK, 20)) < len(pick_sentences(TALK, 400))
    assert len(pick_sentences(TALK, 1)) == 1


def test_json_is_answered_where_it_is_asked_for() -> None:
    said = answer(read_material("Answer with one JSON list.", f"<conversation>\n{TALK}\n</conversation>"), 900)

    reply = parse_reply(said)
    assert reply.kind is ReplyKind.MEMORIES
    assert any("Anna" in memory["entities"] for memory in json.loads(said))


def test_nothing_worth_keeping_is_an_empty_list() -> None:
    material = read_material("Answer with JSON.", "<conversation>\nUser: Hi!\nAssistant: Hello.\n</conversation>")

    assert answer(material) == "[]"


def test_orders_of_an_untagged_prompt_are_no_material() -> None:
    material = read_material("", f"Part of the conversation:\n\n{TALK}\n\nAnswer with one list.\n\nWrite plainly.")

    assert "Write plainly" not in material.text
    assert "Anna" in material.text


def test_document_keeps_everything_and_gains_what_is_new() -> None:
    prompt = "<new_facts>\nAnna lives in Brno.\n- Pear\n</new_facts>\n<document>\n# People\n- Pear\n</document>"

    assert answer(read_material("Keep it.", prompt)) == "# People\n- Pear\n- Anna lives in Brno."


def test_question_is_answered_from_the_background() -> None:
    system = f"<memories>\n{TALK}\n</memories>"

    assert "peanuts" in answer(read_material(system, "What is Anna allergic to: peanuts?"), 40)


def test_empty_prompt_gives_an_empty_answer() -> None:
    assert answer(read_material("", "")) == ""


def test_other_scripts_are_split() -> None:
    assert split_sentences("今日は晴れです。明日は雨です。") == ["今日は晴れです。", "明日は雨です。"]


def test_names_and_phrases() -> None:
    assert find_names("Anna Nováková met him in Brno.") == ["Anna Nováková", "Brno"]
    assert find_phrases("The old pear tree. The old pear tree fell.", 1) == ["old pear tree"]


def test_of_a_giant_prompt_only_beginning_and_end_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extractive_client, "MAX_CHARACTERS", 200)
    prompt = f"Edda sowed the leeks in May. {'Otto mended the gate. ' * 100}Frost took the beans in June."
    request = HttpRequest("builtin:extractive", {}, {"messages": [{"role": "user", "content": prompt}]})

    text = ExtractiveClient().ask(request, Target()).text

    assert "leeks" in text
    assert "beans" in text
