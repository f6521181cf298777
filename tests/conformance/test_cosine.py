from __future__ import annotations

from typing import Any

import pytest

from memory.engine.similarity import cosine, pack_vector, rank_vectors, unpack_vector
from tests.conformance.vectors import cases


@pytest.mark.parametrize("case", cases("memory", "cosine", kind="similarity"))
def test_similarity(case: dict[str, Any]) -> None:
    found = cosine(case["input"]["a"], case["input"]["b"])

    assert found == pytest.approx(case["expected"]["cosine"], abs=1e-6)


@pytest.mark.parametrize("case", cases("memory", "cosine", kind="rank"))
def test_rank(case: dict[str, Any]) -> None:
    given = case["input"]
    stored = [(row["id"], pack_vector(row["vector"])) for row in given["stored"]]

    ranked = rank_vectors(given["query"], stored, limit=given["top"])

    assert [row_id for row_id, _ in ranked] == case["expected"]["ids"]
    assert [value for _, value in ranked] == pytest.approx(case["expected"]["cosines"], abs=1e-6)


@pytest.mark.parametrize("case", cases("memory", "cosine", kind="blob"))
def test_blob(case: dict[str, Any]) -> None:
    blob = pack_vector(case["input"]["vector"])

    assert blob.hex() == case["expected"]["hex"]
    assert len(blob) == 4 * case["expected"]["dim"]
    assert unpack_vector(blob) == pytest.approx(case["expected"]["back"])
