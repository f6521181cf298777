"""Names, numbers and dates that a rewrite lost or gained."""

from __future__ import annotations

import pytest

from memory.engine.fact_diff import FactKind, compare_facts, list_facts


def named(text: str) -> list[tuple[str, str]]:
    return [(fact.kind.value, fact.text) for fact in list_facts(text)]


def lost(old: str, new: str) -> list[str]:
    return [fact.text for fact in compare_facts(old, new).lost]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("On 3 March 2026 Anna paid 1,904 euros.", [("date", "3 March 2026"), ("name", "Anna"), ("number", "1,904")]),
        ("She came on 2026-03-14 at 14:30.", [("date", "2026-03-14"), ("date", "14:30")]),
        (
            "The lift is free on Monday, April 5th, from 9 am.",
            [("date", "Monday"), ("date", "April 5th"), ("date", "9 am.")],
        ),
        ("They have three cats and 20 % less.", [("number", "three"), ("number", "20 %")]),
        ("The dog sleeps. Then the dog eats.", []),
        ("Novak's dog met Jean-Luc.", [("name", "Novak"), ("name", "Jean-Luc")]),
        ("It was minus -4.5 degrees.", [("number", "-4.5")]),
        ("カレー was made.", [("name", "カレー")]),
        ("Plant tomatoes in rows.\n- Water the beans.", []),
        ("Repaint her room. Anna the baker paid.", [("name", "Anna")]),
        (
            "She is twenty-five and owes two hundred and three.",
            [("number", "twenty-five"), ("number", "two hundred and three")],
        ),
        ("Mr Okafor met Frau Dr. Eva Klein's dog.", [("name", "Mr Okafor"), ("name", "Frau Dr. Eva Klein")]),
        ("Miss The Point", [("name", "Miss"), ("name", "Point")]),
        ("", []),
    ],
)
def test_facts_are_found_in_order(text: str, facts: list[tuple[str, str]]) -> None:
    assert named(text) == facts


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("She paid 1,904 euros.", "1904 euros were paid."),
        ("Three cats live there.", "There are 3 cats."),
        ("Anna came.", "And anna came."),
        ("Anna's house.", "The house of Anna."),
        ("the 14th", "the 14"),
        ("on 3rd of March", "on 3 March"),
        ("twenty-five cats", "25 cats"),
        ("two hundred and three cats", "203 cats"),
        ("Mr Okafor came.", "It was Okafor."),
        ("It was Okafor.", "Mr. Okafor came."),
        ("Dr. Klein came.", "Dr Klein came."),
        ("Rolls were baked.", "Anna baked rolls."),
    ],
)
def test_another_wording_of_a_fact_is_no_loss(old: str, new: str) -> None:
    assert lost(old, new) == []


def test_lost_and_gained_are_told_apart() -> None:
    diff = compare_facts("Anna moves on the 14th.", "Bert moves on the 15th.")

    assert [fact.text for fact in diff.lost] == ["Anna", "14th"]
    assert [fact.text for fact in diff.gained] == ["Bert", "15th"]
    assert diff.gained[0].kind is FactKind.NAME


def test_a_long_text_is_read_in_one_go() -> None:
    assert len(list_facts("Anna has 7 cats in Brno. " * 4_000)) == 3


def test_one_title_is_not_another() -> None:
    assert lost("Mr Okafor and Mrs Okafor came.", "Mrs Okafor came.") == ["Mr Okafor"]
