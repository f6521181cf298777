from __future__ import annotations

import pytest

from workflows_app.engine.conditions import evaluate_condition, is_well_formed


@pytest.mark.parametrize("expression", ["'and'", '"OR"', "TRUE OR 'and'"])
def test_quoted_joining_word_alone_is_a_mistake(expression: str) -> None:
    assert not is_well_formed(expression)
    assert not evaluate_condition(expression)


@pytest.mark.parametrize("expression", ["'and' == 'and'", "'and' != 'or'", "'android'"])
def test_quoted_joining_word_is_a_text_like_others_in_comparisons(expression: str) -> None:
    assert evaluate_condition(expression)
