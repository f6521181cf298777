from __future__ import annotations

from pathlib import Path

import pytest

from tests.workflows_app.runs import finish_run, note_run
from workflows_app.errors import RunNotFoundError
from workflows_app.services import following
from workflows_app.services.execution import execute_run
from workflows_app.services.following import follow_events
from workflows_app.services.runs import cancel_run


def test_follow_events_ends_with_the_run(opened: Path) -> None:
    batches = list(follow_events(finish_run(opened).card.id))

    assert [event.name for batch in batches for event in batch][-1] == "run-finished"


def test_follow_events_goes_on_where_it_was(opened: Path) -> None:
    batches = list(follow_events(finish_run(opened).card.id, after=2))

    assert batches[0][0].number == 3


def test_follow_events_waits_for_more(opened: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_id = note_run(opened)
    monkeypatch.setattr(following.time, "sleep", lambda _: execute_run(run_id))

    names = [event.name for batch in follow_events(run_id) for event in batch]

    assert (names[0], names[-1]) == ("run-queued", "run-finished")


def test_follow_events_shows_that_it_is_alive(opened: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_id = note_run(opened)
    monkeypatch.setattr(following, "KEEP_ALIVE_SECONDS", -1.0)
    monkeypatch.setattr(following.time, "sleep", lambda _: cancel_run(run_id))

    assert [] in list(follow_events(run_id))


def test_follow_events_need_not_wait(opened: Path) -> None:
    batches = list(follow_events(note_run(opened), is_following=False))

    assert [[event.name for event in batch] for batch in batches] == [["run-queued"]]


def test_follow_events_of_an_unknown_run(opened: Path) -> None:
    with pytest.raises(RunNotFoundError):
        next(follow_events(1))
