from __future__ import annotations

from pathlib import Path

from memory.queries.state_documents import get_state_document
from memory.types import FileState
from tests.builders import API_KEY, build_discussion


def test_get_state_document_gives_the_text_and_its_backup(public: Path) -> None:
    ref = build_discussion(public, state_document="# Now")
    (public / "DiscussionIds/anna/state_document.md.bak").write_text("# Before", encoding="utf-8")

    document = get_state_document(ref, {})

    assert (document.text, document.backup_text) == ("# Now", "# Before")
    assert document.token_estimate > 0


def test_get_state_document_when_there_is_none(public: Path) -> None:
    document = get_state_document(build_discussion(public, state_document=None), {})

    assert (document.report.state, document.text, document.backup_report.state) == (
        FileState.ABSENT,
        "",
        FileState.ABSENT,
    )


def test_get_state_document_never_shows_a_token(public: Path) -> None:
    document = get_state_document(build_discussion(public, api_key=API_KEY, encrypted=True), {})

    assert (document.report.state, document.text) == (FileState.LOCKED, "")
