from __future__ import annotations

from pathlib import Path

import pytest

from memory.stores.discussion_files import DiscussionFiles
from tests.memory.services.worlds import open_files
from tests.workflows_app.builders import NOON
from workflows_app.stores.message_times import DiscussionTimes

TALK = [{"role": "user", "content": "one"}, {"role": "assistant", "content": "two"}]


def test_file_is_read_once_until_it_changes(public: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, reads = open_files(public), []
    times = DiscussionTimes(files, lambda: NOON)
    times.track(TALK)
    plain = DiscussionFiles.read_timestamps
    monkeypatch.setattr(DiscussionFiles, "read_timestamps", lambda self: reads.append(1) or plain(self))

    assert len(times.read()) == len(times.read()) == 2
    assert len(reads) == 1
    times.track([*TALK, {"role": "user", "content": "three"}])
    assert len(times.read()) == 3


def test_no_file_is_no_time(public: Path) -> None:
    assert DiscussionTimes(open_files(public), lambda: NOON).read() == {}
