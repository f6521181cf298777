from __future__ import annotations

import doctest

from workflows_app.contexts import labels


def test_examples_hold() -> None:
    assert doctest.testmod(labels).failed == 0
