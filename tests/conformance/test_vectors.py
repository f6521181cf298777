"""The vector files themselves are whole."""

from __future__ import annotations

from tests.conformance.vectors import load


def test_case_names_are_unique() -> None:
    names = [case["name"] for case in load("memory", "tokens")["cases"]]

    assert len(names) == len(set(names))
