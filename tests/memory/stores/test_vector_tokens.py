from __future__ import annotations

from memory.stores.vector_tokens import count_phrase, locate_tokens, tokenize_terms


def test_terms_are_taken_apart_as_the_index_does_it() -> None:
    terms = ["Watering runs", "Café", "番茄日记", "🌈", "nightly_copy.sh", "", "run run"]

    found = tokenize_terms(terms)

    expected = [("water", "run"), ("cafe",), ("番茄日记",), (), ("nightli", "copi", "sh"), (), ("run", "run")]
    assert found == expected


def test_phrases_are_counted_per_column_and_never_across() -> None:
    rows = {7: ("clay", "pots of clay pots, clay pots", None, 3, "clay")}

    places = locate_tokens(rows, ["clai", "pot", "3"])[7]

    assert count_phrase(places, ["clai", "pot"]) == {1: 2}
    assert count_phrase(places, ["clai"]) == {0: 1, 1: 2, 4: 1}
    assert (count_phrase(places, ["3"]), count_phrase(places, []), count_phrase(places, ["owl"])) == ({3: 1}, {}, {})
