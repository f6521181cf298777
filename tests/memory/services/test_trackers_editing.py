from __future__ import annotations

from pathlib import Path

import pytest

from memory.services.editing import Editor
from memory.services.notes import CondensedEntry
from memory.services.notes_database import DatabaseAttemptLog
from memory.services.trackers_editing import set_condensation
from memory.wiring import get_public_folder, open_discussion
from tests.builders import build_discussion, build_entry, hash_of

pytestmark = pytest.mark.django_db


def test_a_run_does_not_move_a_tracker_on_that_a_person_moved_back(public: Path) -> None:
    ref = build_discussion(public, chunks=3, condensed_up_to=2)
    log = DatabaseAttemptLog(get_public_folder().discussions_root)
    log.save_condensed(ref, CondensedEntry(hash_of("message 2"), hash_of(build_entry(2)["text_block"])))

    set_condensation(Editor(ref, "mona"), 1)

    assert log.find_condensed(ref) == CondensedEntry("", "")
    assert open_discussion(ref).read_condensation_tracker().values == {"lastCondensationHash": hash_of("message 1")}
