from __future__ import annotations

from datetime import datetime
from pathlib import Path

from memory.engine.hashing import hash_text
from memory.services.timestamps import begin_answer, commit_answer, set_message_time, track_messages
from memory.types import FileState
from tests.memory.services.worlds import open_files, talk

NOW = datetime.fromisoformat("2026-03-01 09:30:00")
LATER = datetime.fromisoformat("2026-03-01 09:31:00")


def test_an_answer_gets_the_time_it_was_begun_at(tmp_path: Path) -> None:
    files = open_files(tmp_path)

    begin_answer(files, now=NOW)
    commit_answer(files, "An answer.", now=LATER)

    assert files.read_timestamps().values == {hash_text("An answer."): "(Sunday, 2026-03-01 09:30:00)"}


def test_nothing_to_track_creates_no_file(tmp_path: Path) -> None:
    files = open_files(tmp_path)

    track_messages(files, [], now=NOW)

    assert files.read_timestamps().report.state is FileState.ABSENT


def test_a_damaged_file_is_left_alone(tmp_path: Path) -> None:
    files = open_files(tmp_path)
    track_messages(files, talk(2), now=NOW)
    path = files.read_timestamps().report.path
    path.write_text("[1", encoding="utf-8")

    set_message_time(files, "Said.", "(Sunday, 2026-03-01 09:30:00)")

    assert path.read_text(encoding="utf-8") == "[1"
