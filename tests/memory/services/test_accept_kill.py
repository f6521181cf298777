"""A process that dies while drafts are stored: accepting once more ends as if nobody had disturbed it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory.engine.regeneration import Kind
from memory.queries.jobs import get_job
from memory.services.drafts import accept_all
from memory.stores.discussion_files import CONDENSATION_KEY, DiscussionFiles
from memory.types import DiscussionRef
from memory.wiring import open_discussion
from tests.memory.regenerating import ANNA, finish, open_world, read_hashes, read_texts

pytestmark = pytest.mark.django_db


class Killed(BaseException):
    """Stands for a process that dies."""


def state_of(ref: DiscussionRef, public: Path) -> tuple[Any, ...]:
    tracker = open_discussion(ref).read_condensation_tracker().values.get(CONDENSATION_KEY)
    return read_texts(public), read_hashes(public), read_hashes(public, "chat_summary"), tracker


@pytest.mark.parametrize("kind", [Kind.EVERYTHING, Kind.FROM_MESSAGE])
@pytest.mark.parametrize("write", ["write_summary", "write_condensation_tracker", "write_memories"])
@pytest.mark.parametrize("is_after", [False, True])
def test_accepting_again_completes_it(
    kind: Kind, write: str, is_after: bool, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = 3 if kind is Kind.FROM_MESSAGE else None
    calm = open_world(tmp_path / "calm", settings)
    accept_all(finish(calm, kind, first), ANNA)
    expected = state_of(calm, tmp_path / "calm" / "Public")
    ref = open_world(tmp_path / "killed", settings)
    job_id = finish(ref, kind, first)
    original = getattr(DiscussionFiles, write)

    def die(self: DiscussionFiles, *values: Any, **options: Any) -> str:
        if is_after:
            original(self, *values, **options)
        raise Killed

    with monkeypatch.context() as patched, pytest.raises(Killed):
        patched.setattr(DiscussionFiles, write, die)
        accept_all(job_id, ANNA)
        raise Killed  # this write was not needed
    if get_job(job_id).card.is_open:
        accept_all(job_id, ANNA)

    assert state_of(ref, tmp_path / "killed" / "Public") == expected
