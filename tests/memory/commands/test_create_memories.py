from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from memory.engine.hashing import hash_api_key
from memory.engine.model_calls import Call, Watch
from memory.management.commands import create_memories
from memory.stores.vector_db import VectorDatabase
from memory.types import DiscussionId
from tests.builders import USER, build_public_folder, open_public_folder, write_json
from wilmer_site.lib.errors import NotFoundError

MESSAGES = [{"role": "user", "content": f"message {number} [DiscussionId]anna[/DiscussionId]"} for number in range(5)]
SETTINGS = {"fileMemoryWorkflowName": "remember", "maxMessagesBetweenChunks": 1, "chunkEstimatedTokenSize": 4}


class EchoModel:
    """Remembers what it is told."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch

    def ask(self, call: Call) -> str:
        return f"memory of {getattr(call, 'inputs', ('',))[0]}"


@pytest.fixture
def public(tmp_path: Path, settings: Any) -> Path:
    folder = build_public_folder(tmp_path, discussionIdMemoryFileWorkflowSettings="Memory")
    workflows = folder / "Configs" / "Workflows" / USER
    workflows.mkdir(parents=True)
    write_json(workflows / "Memory.json", SETTINGS)
    write_json(tmp_path / "messages.json", {"messages": MESSAGES})
    open_public_folder(settings, folder)
    return folder


def run(tmp_path: Path, *options: str) -> str:
    output = StringIO()
    call_command("create_memories", "--messages", str(tmp_path / "messages.json"), *options, stdout=output)
    return output.getvalue()


@pytest.mark.django_db
def test_dry_run_tells_every_number_and_writes_nothing(public: Path, tmp_path: Path) -> None:
    text = run(tmp_path, "--dry-run", "--create")

    assert "file memories: tokens" in text
    assert "new-messages       yes  2 of 1" in text
    assert list((public / "DiscussionIds").iterdir()) == []


@pytest.mark.django_db
def test_memories_are_written(public: Path, tmp_path: Path, settings: Any) -> None:
    settings.WILMER_MEMORY_MODEL = f"{__name__}.EchoModel"

    text = run(tmp_path, "--create")

    assert "done: 2 of 2 chunks stored" in text
    ledger = json.loads((public / "DiscussionIds" / "anna" / "memories.json").read_text(encoding="utf-8"))
    assert [entry["text_block"] for entry in ledger] == ["memory of message 0 ", "memory of message 1 "]


@pytest.mark.django_db
def test_without_a_model_the_command_says_so(public: Path, tmp_path: Path, settings: Any) -> None:
    settings.WILMER_MEMORY_MODEL = ""

    with pytest.raises(CommandError, match="No model is connected"):
        run(tmp_path, "--create")


@pytest.mark.django_db
def test_an_unknown_discussion_is_not_begun_by_accident(public: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no discussion"):
        run(tmp_path, "--dry-run")


@pytest.mark.django_db
@pytest.mark.parametrize("content", ["nonsense", "5", "[1]"])
def test_what_holds_no_messages_is_refused(public: Path, tmp_path: Path, content: str) -> None:
    (tmp_path / "messages.json").write_text(content, encoding="utf-8")

    with pytest.raises(CommandError, match=r"messages\.json"):
        run(tmp_path, "--dry-run")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("content", "reason"), [(b"[" * 200_000 + b"]" * 200_000, "nested too deeply"), (b'["\xe9"]', "not UTF-8")]
)
def test_hostile_files_are_refused_in_words(public: Path, tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "messages.json").write_bytes(content)

    with pytest.raises(CommandError, match=reason):
        run(tmp_path, "--dry-run")


@pytest.mark.django_db
def test_endless_standard_input_is_refused(public: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(create_memories, "MAX_MESSAGE_BYTES", 10)
    monkeypatch.setattr("sys.stdin", StringIO("[" + " " * 20 + "]"))

    with pytest.raises(CommandError, match="Standard input has more than 10 characters"):
        call_command("create_memories", "--messages", "-", "--dry-run")


class StructuredModel:
    """Writes one good memory and one without its summary."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch

    def ask(self, call: Call) -> str:
        good = {"title": "Move", "summary": "They moved.", "entities": [], "key_phrases": []}
        return json.dumps([good, {"title": "nothing else"}])


@pytest.mark.django_db
def test_rows_and_what_was_left_out_are_named(public: Path, tmp_path: Path, settings: Any) -> None:
    settings.WILMER_MEMORY_MODEL = f"{__name__}.StructuredModel"
    write_json(
        public / "Configs" / "Workflows" / USER / "Memory.json",
        {"vectorMemoryWorkflowName": "remember", "vectorMemoryMaxMessagesBetweenChunks": 1},
    )

    text = run(tmp_path, "--create", "--kind", "vector")

    assert "stored as vector memories 1" in text
    assert "left out of the reply: " in text


def write_settings(public: Path, **values: Any) -> None:
    write_json(public / "Configs" / "Workflows" / USER / "Memory.json", {**SETTINGS, **values})


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("tag", "reason"),
    [("../../x", r"names '\.\./\.\./x'"), ("", "an empty"), (None, "no "), ("a\x1b[2J:", r"names .*x1b\[2J:'")],
)
def test_a_tag_that_names_no_discussion_is_told_apart(
    public: Path, tmp_path: Path, tag: str | None, reason: str
) -> None:
    content = "hello" if tag is None else f"[DiscussionId]{tag}[/DiscussionId] hello"
    write_json(tmp_path / "messages.json", [{"role": "user", "content": content}])

    with pytest.raises(CommandError, match=reason):
        run(tmp_path, "--dry-run")


@pytest.mark.django_db
def test_an_empty_name_is_not_taken_for_none(public: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="--discussion is empty"):
        run(tmp_path, "--dry-run", "--create", "--discussion", "")


class BrokenModel:
    """Writes half of a character and an escape sequence that would change the terminal."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch

    def ask(self, call: Call) -> str:
        return "no JSON \ud800 \x1b[2J"


@pytest.mark.django_db
def test_a_reply_is_shown_without_obeying_it(public: Path, tmp_path: Path, settings: Any) -> None:
    settings.WILMER_MEMORY_MODEL = f"{__name__}.BrokenModel"
    write_settings(public, vectorMemoryWorkflowName="remember", vectorMemoryMaxMessagesBetweenChunks=1)

    text = run(tmp_path, "--create", "--kind", "vector")

    assert r"no JSON could be read from the answer; it wrote: no JSON \ud800 \x1b[2J" in text


class BlankModel(BrokenModel):
    def ask(self, call: Call) -> str:
        return " "


@pytest.mark.django_db
def test_a_run_that_stopped_is_a_failure(public: Path, tmp_path: Path, settings: Any) -> None:
    settings.WILMER_MEMORY_MODEL = f"{__name__}.BlankModel"

    with pytest.raises(CommandError, match="answered twice with nothing"):
        run(tmp_path, "--create")


@pytest.mark.django_db
@pytest.mark.parametrize("options", [(), ("--dry-run",)])
def test_a_damaged_ledger_is_a_failure(public: Path, tmp_path: Path, options: tuple[str, ...], settings: Any) -> None:
    settings.WILMER_MEMORY_MODEL = f"{__name__}.EchoModel"
    ledger = public / "DiscussionIds" / "anna" / "memories.json"
    ledger.parent.mkdir()
    ledger.write_text("[{", encoding="utf-8")

    with pytest.raises(CommandError, match="damaged" if not options else "cannot be read"):
        run(tmp_path, *options)

    assert ledger.read_text(encoding="utf-8") == "[{"


class LengthEmbedder:
    """One number for every text."""

    model = "length"

    def __init__(self, endpoint: str, watch: object) -> None:
        if endpoint == "gone":
            raise NotFoundError("There is no endpoint gone.")

    def embed(self, texts: list[str]) -> list[list[float]]:
        return [[float(len(text))] for text in texts]


@pytest.mark.django_db
@pytest.mark.parametrize(("endpoint", "count"), [("here", 2), ("gone", 0), ("", 0)])
def test_new_memories_get_vectors(public: Path, tmp_path: Path, settings: Any, endpoint: str, count: int) -> None:
    settings.WILMER_MEMORY_MODEL = f"{__name__}.StructuredModel"
    settings.WILMER_MEMORY_EMBEDDER = f"{__name__}.LengthEmbedder"
    vector = {"vectorMemoryWorkflowName": "remember", "vectorMemoryChunkEstimatedTokenSize": 4}
    write_settings(public, **vector, embeddingEndpointName=endpoint)

    assert "2 of 2 chunks stored" in run(tmp_path, "--create", "--kind", "vector")

    database = VectorDatabase(public / "DiscussionIds" / "anna" / "vector_memory.db", DiscussionId("anna"))
    assert sum(database.embedding_counts().values()) == count


@pytest.mark.django_db
def test_an_encrypted_discussion_is_opened_with_its_key(
    public: Path, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WILMER_MEMORY_MODEL = f"{__name__}.EchoModel"
    monkeypatch.setattr("getpass.getpass", lambda prompt: "marta-bearer-key")
    name = f"{hash_api_key('marta-bearer-key')}:anna"

    assert "done: 2 of 2" in run(tmp_path, "--create", "--discussion", name, "--ask-key")
    assert "no-new-messages" in run(tmp_path, "--discussion", name, "--ask-key").replace("_", "-")


class InterruptedModel(EchoModel):
    def ask(self, call: Call) -> str:
        if "message 1" in getattr(call, "inputs", ("",))[0]:
            raise KeyboardInterrupt
        return super().ask(call)


@pytest.mark.django_db
def test_an_interrupted_run_keeps_what_it_stored(public: Path, tmp_path: Path, settings: Any) -> None:
    settings.WILMER_MEMORY_MODEL = f"{__name__}.InterruptedModel"

    with pytest.raises(CommandError, match="Stopped") as caught:
        run(tmp_path, "--create")

    ledger = json.loads((public / "DiscussionIds" / "anna" / "memories.json").read_text(encoding="utf-8"))
    assert (caught.value.returncode, [entry["text_block"] for entry in ledger]) == (130, ["memory of message 0 "])
