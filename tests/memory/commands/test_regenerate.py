"""`manage.py regenerate`."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from memory.models import Job
from tests.memory.regenerating import MODEL, open_world, read_texts
from wilmer_site.lib.errors import UpstreamError

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    output = StringIO()
    call_command("regenerate", *arguments, stdout=output)
    return output.getvalue()


@pytest.fixture(autouse=True)
def world(tmp_path: Path, settings: Any) -> None:
    open_world(tmp_path, settings)


def test_a_dry_run_prints_every_prompt() -> None:
    text = run("anna", "chunks", "--first", "1", "--dry-run")

    assert "1 call, about" in text
    assert "Piece: aside 1\nmessage 1" in text
    assert MODEL.calls == []
    assert not Job.objects.exists()


def test_drafts_wait_for_a_decision(tmp_path: Path) -> None:
    text = run("anna", "chunks", "--first", "1", "--last", "2")

    assert "review (2 ready)" in text
    assert read_texts(tmp_path / "Public")[0].startswith("Chunk 1")


def test_single_chunks_are_picked(tmp_path: Path) -> None:
    run("anna", "chunks", "--pick", "3", "1", "--accept")

    assert [text.startswith("new memory of") for text in read_texts(tmp_path / "Public")] == [True, False, True, False]


@pytest.mark.parametrize(
    "arguments", [("summary", "--pick", "1"), ("chunks", "--pick", "1", "--first", "1"), ("chunks", "--pick", "0")]
)
def test_only_chunks_can_be_picked(arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError, match=r"single chunks|numbered from 1"):
        run("anna", *arguments)


def test_drafts_are_stored_at_once_when_asked_for(tmp_path: Path) -> None:
    text = run("anna", "everything", "--accept")

    assert "applied" in text
    assert read_texts(tmp_path / "Public")[0].startswith("new memory of")


def test_a_failure_is_told_with_its_reason() -> None:
    def fail(text: str) -> str:
        raise UpstreamError("The server is down.")

    MODEL.answer = fail
    output = StringIO()

    with pytest.raises(CommandError, match="failed"):
        call_command("regenerate", "anna", "chunks", "--first", "1", stdout=output)

    assert "Chunk 1, messages 1 to 2: The server is down." in output.getvalue()


def test_what_waits_for_a_decision_is_said_where_to_find() -> None:
    text = run("anna", "chunks", "--first", "1")

    assert f"decide on the page /jobs/{Job.objects.get().pk}/" in text


def test_errors_are_sentences() -> None:
    with pytest.raises(CommandError, match="no chunk 77"):
        run("anna", "chunks", "--first", "77")
    with pytest.raises(CommandError, match="nobody"):
        run("nobody", "index")
