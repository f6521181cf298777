from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory.engine.transcript_changes import ImportOutcome
from memory.engine.transcripts import BraceForm, Said, TextForm, Variant, hash_said
from memory.models import Transcript, TranscriptMessage
from memory.queries.transcript_matching import choose_variant, get_usual_variant, measure_variants
from memory.queries.transcripts import find_transcript, list_messages
from memory.services.transcripts import (
    ImportChoices,
    ImportFacts,
    change_variant,
    delete_transcript,
    import_transcript,
    parse_variant,
)
from memory.services.transcripts_sample import attach_sample_transcripts
from memory.types import DiscussionRef
from tests.builders import (
    base_folder,
    build_discussion,
    build_ref,
    hash_of,
    open_public_folder,
    write_entries,
    write_json,
)
from tests.chats import attach, build_chat
from tests.conftest import SHARED
from tests.memory.importers.chats import messages_in, read
from wilmer_site.lib.errors import ConflictError, InvalidError, NotFoundError, RefusedError

FACTS = ImportFacts("openai", "chat.json")
SAMPLE = Path(__file__).resolve().parents[3] / "sample" / "transcripts"
pytestmark = pytest.mark.django_db


@pytest.fixture
def ref(public: Path) -> DiscussionRef:
    return build_discussion(public)


def texts(ref: DiscussionRef) -> list[str]:
    return [line.text for line in list_messages(ref, 1, 10_000)]


def test_a_first_chat_is_attached_whole(ref: DiscussionRef) -> None:
    result = import_transcript(ref, build_chat(["a", "b"]), FACTS)

    assert (result.outcome, result.added, result.total) == (ImportOutcome.NEW, 2, 2)
    assert texts(ref) == ["a", "b"]


def test_the_same_chat_adds_nothing(ref: DiscussionRef) -> None:
    attach(ref, build_chat(["a", "b"]))
    before = Transcript.objects.get().updated_at

    assert import_transcript(ref, build_chat(["a", "b"]), FACTS).outcome is ImportOutcome.SAME
    assert TranscriptMessage.objects.count() == 2
    assert Transcript.objects.get().updated_at == before


def test_a_longer_chat_is_appended(ref: DiscussionRef) -> None:
    attach(ref, build_chat(["a", "b"]))
    rows = set(TranscriptMessage.objects.values_list("pk", flat=True))

    result = import_transcript(ref, build_chat(["a", "b", "c", "b"]), FACTS)

    assert (result.added, result.removed, texts(ref)) == (2, 0, ["a", "b", "c", "b"])
    assert rows < set(TranscriptMessage.objects.values_list("pk", flat=True))


def test_the_newest_part_of_a_long_chat_is_joined_on(ref: DiscussionRef) -> None:
    attach(ref, build_chat(list("abcdefgh")))
    newest = [Said("system", "Be kind."), *build_chat(list("abcdefghi"))[4:]]

    result = import_transcript(ref, newest, FACTS)

    assert (result.outcome, result.added, result.removed, result.total) == (ImportOutcome.LONGER, 1, 0, 9)
    assert "".join(texts(ref)) == "abcdefghi"
    assert Transcript.objects.get().message_count == 9
    assert import_transcript(ref, newest, FACTS).outcome is ImportOutcome.SAME


@pytest.mark.parametrize("chat", [["a"], ["a", "x", "c"], ["z"]])
def test_stored_messages_are_only_given_up_if_asked_to(ref: DiscussionRef, chat: list[str]) -> None:
    attach(ref, build_chat(["a", "b", "c"]))

    with pytest.raises(ConflictError, match="Nothing was changed"):
        import_transcript(ref, build_chat(chat), FACTS)
    assert texts(ref) == ["a", "b", "c"]
    import_transcript(ref, build_chat(chat), FACTS, ImportChoices(replaces=True))
    assert texts(ref) == chat
    assert Transcript.objects.get().message_count == len(chat)


def test_a_chat_without_messages_is_refused(ref: DiscussionRef) -> None:
    with pytest.raises(InvalidError, match="no messages"):
        import_transcript(ref, [], FACTS)


def test_equal_messages_all_the_way_are_fine(ref: DiscussionRef) -> None:
    attach(ref, [Said("user", "ok")] * 700)

    assert import_transcript(ref, [Said("user", "ok")] * 701, FACTS).added == 1


@pytest.mark.parametrize("variant", [Variant(form, braces) for form in TextForm for braces in BraceForm])
def test_the_variant_that_was_hashed_is_found(ref: DiscussionRef, public: Path, variant: Variant) -> None:
    chat = [Said("user", " Hi {x} ", "Ann"), Said("assistant", " Ho ", "Bo"), Said("user", "{{y}} ", "Ann")]
    entries = [{"text_block": "x", "hash": hash_said(said, variant)} for said in chat]
    write_entries(base_folder(public) / "anna" / "memories.json", entries)
    write_json(base_folder(public) / "anna" / "timestamps.json", {hash_said(chat[1], variant): "(Monday)"})

    result = import_transcript(ref, chat, FACTS)

    assert result.variant == variant
    match = measure_variants(ref, chat, {})[0]
    assert (match.ledger, match.ledger_total, match.timestamps, match.percent) == (3, 3, 1, 80)


def test_without_stored_hashes_the_settings_decide(public: Path) -> None:
    ref = build_discussion(public, chunks=0, memories=None)
    write_json(public / "Configs" / "Users" / "recall.json", {"chatCompleteAddUserAssistant": True})

    assert get_usual_variant() == Variant(TextForm.ROLE_LABEL)
    assert choose_variant(measure_variants(ref, build_chat(["a"]), {})) == Variant(TextForm.ROLE_LABEL)
    assert measure_variants(ref, [], {})[0].percent is None


def test_a_person_may_choose_another_variant(ref: DiscussionRef) -> None:
    chosen = Variant(TextForm.ROLE_LABEL)
    import_transcript(ref, build_chat(["a"]), FACTS, ImportChoices(chosen))

    assert list_messages(ref, 1, 2)[0].hash == hash_of("User: a")
    import_transcript(ref, build_chat(["a", "b"]), FACTS)
    assert list_messages(ref, 2, 3)[0].hash == hash_of("Assistant: b")
    assert change_variant(ref, "raw+braces") == 2
    assert [line.hash for line in list_messages(ref, 1, 3)] == [hash_of("a"), hash_of("b")]


def test_choosing_another_variant_for_a_longer_chat_hashes_all_anew(ref: DiscussionRef) -> None:
    attach(ref, build_chat(["a"]))

    import_transcript(ref, build_chat(["a", "b"]), FACTS, ImportChoices(Variant(TextForm.ROLE_LABEL)))

    assert [line.hash for line in list_messages(ref, 1, 3)] == [hash_of("User: a"), hash_of("Assistant: b")]


def test_an_unknown_variant_is_refused() -> None:
    with pytest.raises(InvalidError):
        parse_variant("upside-down")


def test_a_transcript_is_detached(ref: DiscussionRef) -> None:
    attach(ref, build_chat(["a", "b"]))

    assert delete_transcript(ref) == 2
    assert find_transcript(ref) is None
    assert TranscriptMessage.objects.count() == 0
    with pytest.raises(NotFoundError):
        delete_transcript(ref)
    with pytest.raises(NotFoundError):
        change_variant(ref, "raw+braces")


def test_nothing_changes_in_read_only_mode(ref: DiscussionRef, settings: Any) -> None:
    attach(ref, build_chat(["a"]))
    settings.WILMER_READ_ONLY = True

    for change in (
        lambda: import_transcript(ref, build_chat(["a", "b"]), FACTS),
        lambda: delete_transcript(ref),
        lambda: change_variant(ref, "raw+braces"),
    ):
        with pytest.raises(RefusedError):
            change()
    assert texts(ref) == ["a"]


def test_an_unknown_discussion_gets_no_transcript(public: Path) -> None:
    with pytest.raises(NotFoundError):
        import_transcript(build_ref("nobody"), build_chat(["a"]), FACTS)


class Long:
    """A chat that is made while it is read."""

    def __iter__(self) -> Iterator[Said]:
        for number in range(30_000):
            yield Said("user", f"{number} " + "word " * 150)


def test_thirty_thousand_messages_are_imported_in_bounded_memory(ref: DiscussionRef, settings: Any) -> None:
    # Reading a file claims as much at once as the limit allows.
    settings.WILMER_MAX_FILE_BYTES = 100_000
    tracemalloc.start()
    try:
        result = import_transcript(ref, Long(), FACTS)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert result.total == 30_000
    # The texts alone have 22 MB.
    assert peak < 16_000_000


def test_the_chats_of_the_sample_are_attached_once(public: Path) -> None:
    refs = [build_discussion(public, folder.name) for folder in sorted(SAMPLE.iterdir()) if folder.is_dir()]

    assert attach_sample_transcripts(SAMPLE) == len(refs) == 3
    assert attach_sample_transcripts(SAMPLE) == 0
    assert all(list_messages(ref, 2, 3)[0].sent_at for ref in refs)


RECORDED = sorted((SHARED / "transcripts").glob("*/")) if (SHARED / "transcripts").is_dir() else []


LABELS = {"lantern-of-ferrow": TextForm.ROLE_LABEL}
"""Whose user has `chatCompleteAddUserAssistant`."""


@pytest.mark.parametrize("folder", RECORDED, ids=lambda folder: folder.name)
@pytest.mark.parametrize(
    "name", ["messages.json", "sillytavern.jsonl", "open_webui.json", "chatgpt_conversations.json"]
)
def test_the_recorded_discussions_agree_with_their_chats(settings: Any, folder: Path, name: str) -> None:
    open_public_folder(settings, SHARED / "discussions" / "nested" / "Public")
    messages = messages_in(read((folder / name).read_bytes()))

    match = measure_variants(build_ref(folder.name), messages, {})[0]

    assert match.ledger == match.ledger_total > 0
    assert match.variant.text is LABELS.get(folder.name, TextForm.RAW)
