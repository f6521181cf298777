from __future__ import annotations

import json
import math

from hypothesis import given
from hypothesis import strategies as st

from memory.schemas.base import MAX_NESTING, mend_json, mend_text

_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters()), inner),
    max_leaves=20,
)


def test_mend_text_keeps_whole_texts() -> None:
    assert mend_text("café 😀 京都 \x00") == "café 😀 京都 \x00"


def test_mend_text_replaces_half_pairs() -> None:
    assert mend_text("a\ud83db\ude00") == "a\ufffdb\ufffd"


def test_mend_json_tells_numbers_json_has_not() -> None:
    assert mend_json({"a": math.nan, "b": [math.inf]}) == {"a": "nan", "b": ["inf"]}


def test_mend_json_cuts_endless_nesting() -> None:
    deep: object = 1
    for _ in range(MAX_NESTING * 2):
        deep = [deep]

    assert json.dumps(mend_json(deep)).count("[") == MAX_NESTING


@given(_JSON)
def test_mend_json_gives_strict_json(value: object) -> None:
    json.dumps(mend_json(value), allow_nan=False, ensure_ascii=False).encode()
