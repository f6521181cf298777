from __future__ import annotations

from typing import Any

import pytest

from memory.engine.memory_settings import MemorySettings, as_int


def test_defaults_are_the_documented_ones() -> None:
    settings = MemorySettings({})

    assert settings.file_thresholds.chunk_size == 1000
    assert settings.vector_thresholds.max_messages == 5
    assert (settings.file_target.max_tokens, settings.vector_target.max_tokens) == (400, 1024)
    assert settings.condensation_target.max_tokens == 500


def test_old_lookback_of_the_vector_path_counts_when_the_new_one_is_absent() -> None:
    assert MemorySettings({"vectorMemoryLookBackTurns": 7}).vector_thresholds.lookback == 7
    assert MemorySettings({"vectorMemoryLookBackTurns": 7, "lookbackStartTurn": 2}).vector_thresholds.lookback == 2


@pytest.mark.parametrize(("value", "seconds"), [(5, 5.0), (0, -1.0), (-1, -1.0), ("x", 600.0), (True, 600.0)])
def test_lock_timeout(value: Any, seconds: float) -> None:
    assert MemorySettings({"condensationLockTimeoutSeconds": value}).lock_timeout_seconds == seconds


@pytest.mark.parametrize(("value", "size"), [(5, 5), (0, 0), (-2, 0), (True, 0), ("9", 0)])
def test_backfill_is_off_for_anything_but_a_positive_number(value: Any, size: int) -> None:
    assert MemorySettings({"embeddingBackfillBatchSize": value}).backfill_size == size


@pytest.mark.parametrize(
    ("value", "number"),
    [(5, 5), (2.9, 2), ("-7", -7), (True, None), ("x", None), ("--5", None), ("9" * 5000, None), (float("inf"), None),
     (float("nan"), None), (None, None), ([1], None)],
)  # fmt: skip
def test_what_is_no_number_is_none(value: Any, number: int | None) -> None:
    assert as_int(value) == number
