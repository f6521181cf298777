from __future__ import annotations

import pytest

from memory.engine.origin_evidence import Confidence, list_terms, weigh_origin

SAID = ["Anna has a garden.", "Bert prunes the pear tree."]


@pytest.mark.parametrize(
    ("terms", "waited", "expected"),
    [
        (["anna", "Pear Tree"], 1.0, Confidence.LIKELY),
        (["anna", "Pear Tree"], 9_000.0, Confidence.POSSIBLE),
        (["Carla", "violin"], 1.0, Confidence.POSSIBLE),
        (["Carla", "violin"], 9_000.0, Confidence.DOUBTFUL),
    ],
)
def test_time_and_words_make_it_sure(terms: list[str], waited: float, expected: Confidence) -> None:
    assert weigh_origin(terms, "", SAID, waited_seconds=waited).confidence is expected


def test_terms_are_told_apart_by_whether_they_were_said() -> None:
    evidence = weigh_origin(["Anna", "Carla"], "", SAID, waited_seconds=0)

    assert (evidence.found, evidence.missing) == (("Anna",), ("Carla",))


def test_without_terms_the_longer_words_stand_in() -> None:
    assert list(list_terms([" "], "Anna's garden, the Garden of apples")) == ["Garden", "apples"]
