from __future__ import annotations

from pathlib import Path

import pytest

from memory.engine.braces import LEFT, RIGHT
from memory.engine.transcripts import Said, TextForm, Variant
from memory.queries.transcripts import (
    find_numbers,
    find_transcript,
    get_transcript,
    has_transcript,
    list_matching_numbers,
    list_messages,
    list_refs,
    load_conversation,
    load_numbers,
    load_raw_messages,
)
from memory.services.transcripts import ImportChoices, ImportFacts, import_transcript
from memory.types import DiscussionRef, Message
from tests.builders import build_discussion, build_ref, hash_of
from wilmer_site.lib.errors import NotFoundError

CHAT = [
    Said("system", "[DiscussionId]anna[/DiscussionId]Be kind."),
    Said("user", "Hello {name}", images=("data:image/png;base64,AAAA",)),
    Said("assistant", "  "),
    Said("assistant", "Hello."),
    Said("user", "Hello."),
]


@pytest.fixture
def ref(public: Path, db: None) -> DiscussionRef:
    """A discussion with a transcript of five messages, one of them blank."""
    ref = build_discussion(public, "anna")
    import_transcript(ref, CHAT, ImportFacts("openai", "chat.json", imported_by="reader"))
    return ref


def test_find_transcript_says_what_was_imported(ref: DiscussionRef) -> None:
    card = find_transcript(ref)

    assert card
    assert (card.ref, card.format, card.source_name, card.message_count) == (ref, "openai", "chat.json", 5)
    assert card.variant == Variant()


def test_nothing_is_found_without_a_transcript(public: Path, db: None) -> None:
    ref = build_discussion(public, "anna")

    assert (find_transcript(ref), load_raw_messages(ref), has_transcript(ref)) == (None, None, False)
    assert (load_conversation(ref), load_numbers(ref), list_messages(ref, 1, 9)) == ((), (), ())
    with pytest.raises(NotFoundError, match="Import the chat"):
        get_transcript(ref)


def test_list_messages_gives_a_window(ref: DiscussionRef) -> None:
    lines = list_messages(ref, 2, 4)

    assert [(line.number, line.role, line.text) for line in lines] == [
        (2, "user", "Hello {name}"),
        (3, "assistant", "  "),
    ]
    assert lines[0].hash == hash_of(f"Hello {LEFT}name{RIGHT}")
    assert lines[0].images == ("data:image/png;base64,AAAA",)
    assert lines[1].hash == ""


def test_load_conversation_is_what_memory_receives(ref: DiscussionRef) -> None:
    assert load_conversation(ref) == (
        Message("system", "Be kind."),
        Message("user", f"Hello {LEFT}name{RIGHT}", ("data:image/png;base64,AAAA",)),
        Message("assistant", "Hello."),
        Message("user", "Hello."),
    )
    assert load_numbers(ref) == (1, 2, 4, 5)


def test_load_conversation_has_the_labels_of_the_variant(public: Path, db: None) -> None:
    ref = build_discussion(public, "anna")
    import_transcript(ref, CHAT, ImportFacts("openai"), ImportChoices(Variant(TextForm.ROLE_LABEL)))

    assert [message.text for message in load_conversation(ref)][2:] == [
        "Assistant:   ",
        "Assistant: Hello.",
        "User: Hello.",
    ]


def test_load_raw_messages_is_what_a_client_would_send(ref: DiscussionRef) -> None:
    assert load_raw_messages(ref) == [
        {"role": "system", "content": "[DiscussionId]anna[/DiscussionId]Be kind."},
        {"role": "user", "content": "Hello {name}", "images": ["data:image/png;base64,AAAA"]},
        {"role": "assistant", "content": "  "},
        {"role": "assistant", "content": "Hello."},
        {"role": "user", "content": "Hello."},
    ]


def test_find_numbers_finds_every_message_of_a_hash(ref: DiscussionRef) -> None:
    assert find_numbers(ref, [hash_of("Hello."), hash_of("gone"), ""]) == {hash_of("Hello."): (4, 5)}


def test_list_matching_numbers_ignores_letter_case(ref: DiscussionRef) -> None:
    assert list_matching_numbers(ref, "hELLO", limit=2) == (2, 4)


def test_list_refs_names_every_discussion_with_a_transcript(ref: DiscussionRef, public: Path) -> None:
    build_discussion(public, "bela")

    assert list_refs() == [build_ref("anna")]
