from __future__ import annotations

import random
import uuid
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from memory import wiring
from memory.journal.authorship import writing_as
from memory.journal.contents import read_bytes
from memory.models import Revision, RevisionContent
from memory.queries.history import get_size
from memory.services.journal_size import Trimmed, trim_journal
from memory.services.restoring import undo_batch
from memory.types import Artefact, DiscussionId, DiscussionRef, Entry
from wilmer_site.lib.clock import utc_now

pytestmark = pytest.mark.django_db

REF = DiscussionRef(DiscussionId("chat"))
LATER = timedelta(days=2)


@pytest.fixture(autouse=True)
def _tiny(public: Path, settings: Any) -> None:
    settings.WILMER_HISTORY_BYTES = 20_000


def write(*, ref: DiscussionRef = REF) -> uuid.UUID:
    """A text that does not become shorter."""
    with writing_as("mona", "Wrote") as signed:
        wiring.open_or_create_discussion(ref).write_memories([Entry(random.randbytes(4_000).hex(), "a")])
    return signed.batch


def kept() -> list[bool]:
    return [bool(item.after and item.after.stored_bytes) for item in Revision.objects.order_by("id")]


def test_a_small_history_loses_nothing() -> None:
    write()
    assert trim_journal(utc_now() + LATER) == Trimmed()


def test_the_oldest_contents_go_first() -> None:
    for _ in range(8):
        write()
    trimmed = trim_journal(utc_now() + LATER)

    assert trimmed.dropped
    assert kept() == sorted(kept())
    assert get_size().stored_bytes <= 20_000
    assert get_size().dropped_contents == trimmed.dropped


def test_the_newest_version_of_a_file_never_goes(settings: Any) -> None:
    settings.WILMER_HISTORY_BYTES = 1
    for name in ("a", "b", "c"):
        write(ref=DiscussionRef(DiscussionId(name)))
        write(ref=DiscussionRef(DiscussionId(name)))
    trim_journal(utc_now() + LATER)

    assert kept() == [False, True] * 3


def test_what_a_young_batch_needs_never_goes() -> None:
    for _ in range(8):
        batch = write()
    Revision.objects.exclude(batch=batch).update(created_at=utc_now() - LATER)
    trim_journal(utc_now())

    assert not all(kept())
    undo_batch(REF, batch, actor="mona", keys={})


def test_a_dropped_content_is_kept_again_when_it_returns() -> None:
    write()
    files = wiring.open_discussion(REF)
    data = files.raw_bytes(Artefact.MEMORIES)
    for _ in range(8):
        write()
    trim_journal(utc_now() + LATER)
    assert not kept()[0]

    files.restore_bytes(Artefact.MEMORIES, data)
    assert kept()[0]
    assert read_bytes(Revision.objects.earliest("id").after) == data


def test_contents_that_nothing_names_are_removed() -> None:
    write()
    Revision.objects.all().delete()

    assert trim_journal(utc_now()).removed == 1
    assert not RevisionContent.objects.exists()


def test_a_write_that_is_under_way_keeps_its_contents(settings: Any) -> None:
    settings.WILMER_HISTORY_BYTES = 1
    write()
    write()
    Revision.objects.update(state=Revision.State.PENDING)

    assert trim_journal(utc_now() + LATER).dropped == 0
