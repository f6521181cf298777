from __future__ import annotations

import pytest

from memory.engine.discussion_ids import remove_tags
from workflows_app.engine.extraction import extract_json_field, extract_tag


@pytest.mark.parametrize("text", ["<a>" * 200_000, "</a>" + "<a>" * 200_000])
def test_tags_that_are_never_closed_are_given_up_at_once(text: str) -> None:
    assert extract_tag(text, "a", "none") == "none"


def test_a_block_that_is_never_closed_is_given_up_at_once() -> None:
    assert extract_json_field("```" + " " * 200_000 + "x", "a") == ""


def test_discussion_tags_that_are_never_closed_stay_as_they_are() -> None:
    text = "[DiscussionId]" * 100_000 + "\n[/DiscussionId]"
    assert remove_tags(text) == text


def test_a_discussion_tag_ends_within_its_line() -> None:
    text = "a[DiscussionId]x[/DiscussionId]b\n[DiscussionId]y"
    assert remove_tags(text) == "ab\n[DiscussionId]y"
