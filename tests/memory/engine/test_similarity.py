from __future__ import annotations

import pytest

from memory.engine.similarity import cosine, pack_vector, rank_vectors, unpack_vector


def test_blob_round_trip() -> None:
    assert unpack_vector(pack_vector([1.5, -2.0, 0.0])) == [1.5, -2.0, 0.0]
    assert unpack_vector(b"abc") == unpack_vector(b"") == []


def test_cosine_of_other_dimensions_and_of_nothing() -> None:
    assert (cosine([1.0], [1.0, 0.0]), cosine([0.0], [1.0]), cosine([], [])) == (0.0, 0.0, 0.0)


def test_values_past_float32_do_not_break_the_ranking() -> None:
    rows = [(1, pack_vector([1e300, 0.0])), (2, pack_vector([1.0, 0.0])), (3, pack_vector([float("nan"), 1.0]))]

    ranked = rank_vectors([1.0, 0.0], rows, limit=-1)

    assert ranked[0] == (2, pytest.approx(1.0))
    assert {row_id for row_id, _ in ranked} == {1, 2, 3}


def test_rows_of_other_dimensions_count_as_unlike() -> None:
    rows = [(1, pack_vector([-1.0, 0.0])), (2, pack_vector([1.0])), (3, b"abc"), (4, pack_vector([1.0, 0.0]))]

    ranked = rank_vectors([1.0, 0.0], rows, limit=9)

    assert [row_id for row_id, _ in ranked] == [4, 2, 3, 1]
    assert rank_vectors([], [], limit=3) == []
