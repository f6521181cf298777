from __future__ import annotations

from pathlib import Path

import pytest

from tests.workflows_app.runs import finish_run, note_run
from workflows_app.errors import RunNotFoundError
from workflows_app.services.following import follow_events


def test_follow_events_ends_with_the_run(opened: Path) -> None:
    batches = list(follow_events(finish_run(opened).card.id))

    assert [event.name for batch in batches for event in batch][-1] == "run-finished"


def test_follow_events_goes_on_where_it_was(opened: Path) -> None:
    batches = list(follow_events(finish_run(opened).card.id, after=2))

    assert batches[0][0].number == 3


def test_follow_events_need_not_wait(opened: Path) -> None:
    batches = list(follow_events(note_run(opened), is_following=False))

    assert [[event.name for event in batch] for batch in batches] == [["run-queued"]]


def test_follow_events_of_an_unknown_run(opened: Path) -> None:
    with pytest.raises(RunNotFoundError):
        next(follow_events(1))
