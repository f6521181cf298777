from __future__ import annotations

import pytest

from memory.engine.discussion_ids import check_may_create
from memory.errors import UnsafeDiscussionIdError


def test_a_safe_id_is_given_back() -> None:
    assert check_may_create("植物日记") == "植物日记"


@pytest.mark.parametrize("discussion_id", ["", "a\u0085b", "NUL.txt", "lpt9", "a\u3000", "x" * 201])
def test_an_unsafe_id_is_refused_with_a_reason(discussion_id: str) -> None:
    with pytest.raises(UnsafeDiscussionIdError, match="discussion id"):
        check_may_create(discussion_id)
