from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from memory.engine.transcripts import Said
from memory.services.transcripts import ImportFacts, import_transcript
from memory.types import DiscussionRef
from tests.html import fetch, fetch_partial, find, text_of, texts


@pytest.fixture
def ref(discuss: Callable[..., DiscussionRef]) -> DiscussionRef:
    ref = discuss(chunks=2, summary_up_to=1)
    contents = ("hello", "message 1", "<b>more</b>", "message 2", "new", "newer")
    chat = [Said(("user", "assistant")[at % 2], content) for at, content in enumerate(contents)]
    import_transcript(ref, chat, ImportFacts("openai", "chat.json"))
    return ref


def test_coverage_detail_draws_how_far_each_layer_reaches(reader: Client, ref: DiscussionRef) -> None:
    page = fetch(reader, reverse("memory:coverage-detail", args=[ref]))

    assert texts(page, ".coverage-label") == ["File memory", "Vector memory", "Rolling summary"]
    assert texts(page, ".coverage-reach")[0] == "up to message 4 of 6"
    assert [cell for cell in texts(page, "tbody td a") if cell.startswith("messages")] == [
        "messages 3–4",
        "messages 1–2",
    ]


def test_coverage_detail_without_a_chat_says_what_to_do(reader: Client, discuss: Callable[..., DiscussionRef]) -> None:
    page = fetch(reader, reverse("memory:coverage-detail", args=[discuss()]))

    assert text_of(page, ".state-title") == "The chat is not here yet"
    assert text_of(page, ".state-box a") == "Import the chat"


def test_a_page_behind_the_last_is_not_taken_for_no_chunks(reader: Client, ref: DiscussionRef) -> None:
    page = fetch(reader, reverse("memory:coverage-detail", args=[ref]) + "?page=99")

    assert text_of(page, ".state-title") == "There is no such page"


def test_coverage_detail_filters_by_trouble(reader: Client, ref: DiscussionRef) -> None:
    page = fetch_partial(reader, reverse("memory:coverage-detail", args=[ref]) + "?only=stale")

    assert text_of(page, ".state-title") == "No chunk is like that"
    assert fetch(reader, reverse("memory:coverage-detail", args=[ref]) + "?only=odd", status=422)


def test_covered_messages_are_escaped_and_name_the_anchor(reader: Client, ref: DiscussionRef) -> None:
    page = fetch(reader, reverse("memory:covered-messages", args=[ref, 2]))

    assert texts(page, ".messages .memory-text") == ["<b>more</b>", "message 2"]
    assert "the hash is of this one" in text_of(page, ".messages li:last-child")


def test_covered_messages_stand_beside_the_text_of_the_chunk(reader: Client, ref: DiscussionRef) -> None:
    page = fetch(reader, reverse("memory:covered-messages", args=[ref, 2]))

    assert [card.name for card in page.select(".side-by-side > section")] == ["section", "section"]
    assert text_of(page, ".side-text .memory-text").startswith("Chunk 2")


def test_covered_messages_are_turned_from_the_page_of_the_chunk(reader: Client, ref: DiscussionRef) -> None:
    address = reverse("memory:covered-messages", args=[ref, 2])

    part = fetch_partial(reader, f"{address}?size=1")

    assert {link["hx-get"].partition("?")[0] for link in part.select(".pager a")} <= {address}
    assert part.select(".pager a")


def test_covered_messages_of_a_chunk_that_is_not_there_is_404(reader: Client, ref: DiscussionRef) -> None:
    fetch(reader, reverse("memory:covered-messages", args=[ref, 9]), status=404)


def test_why_detail_gives_both_verdicts_and_every_rule(reader: Client, ref: DiscussionRef) -> None:
    page = fetch(reader, reverse("memory:why-detail", args=[ref]))

    assert texts(page, ".verdict .card-title") == ["File memory", "Vector memory"]
    assert texts(page, ".verdict .verdict-line")[0].startswith("Memory will not run at the next turn.")
    assert len(texts(page, ".verdict .rule")) == 10


def test_why_detail_simulates_other_thresholds(reader: Client, ref: DiscussionRef) -> None:
    url = reverse("memory:why-detail", args=[ref])

    part = fetch_partial(reader, url + "?path=vector&size=1&messages=1&lookback=0")

    assert (part["id"], len(part.select("rect"))) == ("simulation", 5)
    assert "5 chunks instead of" in text_of(part, ".verdict-line")


def test_why_detail_keeps_what_was_typed_when_it_is_wrong(reader: Client, ref: DiscussionRef) -> None:
    page = fetch(reader, reverse("memory:why-detail", args=[ref]) + "?size=0", status=422)

    assert find(page, "#id_size")["value"] == "0"
    assert texts(page, ".field-error")


def test_preview_list_shows_what_nodes_return(reader: Client, ref: DiscussionRef) -> None:
    page = fetch(reader, reverse("memory:preview-list", args=[ref]) + "?chunks=1&keywords=garden")

    assert "VectorMemorySearch" in texts(page, ".card-header code")
    assert text_of(page, "#preview-text-RecentMemorySummarizerTool") == "Chunk 2: Anna talked about her garden."
