"""Running a recorded run to its end: the third listener to the engine, beside pages and the API."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Generator
from typing import Any

from django.db import transaction

from memory.journal.authorship import MEMORY_RUN, Origin, writing_as
from wilmer_site.lib.clock import local_now, utc_now
from wilmer_site.lib.errors import WilmerError
from workflows_app import wiring
from workflows_app.engine.events import RunEvent, RunFinished
from workflows_app.engine.gateway import prepare_messages
from workflows_app.engine.run import Run
from workflows_app.engine.runner import Runner
from workflows_app.errors import RunCancelledError
from workflows_app.models import WorkflowRun
from workflows_app.results import NodeState, RunState
from workflows_app.run_results import format_output
from workflows_app.services.metering import Meter
from workflows_app.services.places import RunPlace, open_place
from workflows_app.services.recording import LEASE, Recorder
from workflows_app.services.replay import Replay, build_replay
from workflows_app.services.run_events import RunCancelled, RunFailed, RunStarted
from workflows_app.services.run_keys import take_keys
from workflows_app.services.watching import watch_handlers

logger = logging.getLogger(__name__)

Listener = Callable[[RunEvent], None]


def execute_run(run_id: int, listen: Listener = lambda _: None) -> RunState | None:
    """Run what waits under this id, telling `listen` of every event; returns how it ended.

    None when there is nothing to do: the run is gone, cancelled, or somebody else has taken it up.
    """
    run = _claim(run_id)
    if run is None:
        return None
    meter = Meter()
    listen(RunStarted())
    try:
        replay = build_replay(run)
        place = open_place(run, meter, take_keys(run_id))
    except WilmerError as error:
        recorder = Recorder(run, meter, dict, list)
        return _end(run, recorder, RunFailed(error.code, error.message), listen)
    recorder = Recorder(run, meter, place.look, place.drain_reads)
    recorder.note("run-started")
    ending = _drive(run, place, replay, (recorder, listen))
    return _end(run, recorder, ending, listen)


def _claim(run_id: int) -> WorkflowRun | None:
    """Take up a waiting run; of two workers one gets it."""
    now = utc_now()
    with transaction.atomic():
        mine = WorkflowRun.objects.filter(pk=run_id, state=RunState.QUEUED).update(
            state=RunState.RUNNING, started_at=now, lease_until=now + LEASE
        )
        return WorkflowRun.objects.select_related("parent", "requested_by").get(pk=run_id) if mine else None


def _drive(run: WorkflowRun, place: RunPlace, replay: Replay, ears: tuple[Recorder, Listener]) -> RunEvent:
    """Exhaust the engine and say how it ended. Nothing escapes: a run always has an end that people can read."""
    try:
        with _signed(run), contextlib.closing(_steps(run, place, replay, ears)) as steps:
            for event in steps:
                if isinstance(event, RunFinished):
                    return event
                _hear(ears, event)
    except RunCancelledError:
        return RunCancelled()
    except WilmerError as error:
        return RunFailed(error.code, error.message)
    except Exception as error:
        logger.exception("Run %s of workflow %s broke.", run.pk, run.workflow)
        return RunFailed("broken", f"The console broke while running this: {type(error).__name__}: {error}")
    return RunFinished("")


def _hear(ears: tuple[Recorder, Listener], event: RunEvent) -> None:
    recorder, listen = ears
    recorder.take(event)
    listen(event)


def _signed(run: WorkflowRun) -> contextlib.AbstractContextManager[object]:
    """What the run writes into real files is noted as its own in their history."""
    who = run.requested_by.get_username() if run.requested_by else MEMORY_RUN
    return writing_as(who, f"Ran {run.workflow} (run {run.pk})", origin=Origin.GENERATION)


def _steps(
    run: WorkflowRun, place: RunPlace, replay: Replay, ears: tuple[Recorder, Listener]
) -> Generator[RunEvent, None, None]:
    def tell(event: RunEvent) -> None:
        _hear(ears, event)
        replay.note(event)

    request = _build_request(run, place, ears[0])
    request.tell = tell
    steps = Runner(request, watch_handlers(wiring.build_handlers(), replay)).start(run.workflow, run.folder)
    try:
        while True:
            try:
                event = next(steps)
            except StopIteration as stop:
                yield RunFinished(stop.value)
                return
            yield event
            replay.note(event)
            if replay.ending is not None:
                yield RunFinished(replay.ending.output)
                return
    finally:
        steps.close()


def _build_request(run: WorkflowRun, place: RunPlace, recorder: Recorder) -> Run:
    configs = place.configs
    incoming = prepare_messages(run.messages, configs.user)
    return Run(
        configs=configs,
        locks=place.locks,
        messages=incoming.messages,
        now=local_now,
        discussion_id=place.ref.discussion_id if place.ref else None,
        is_streaming=True,
        tools=run.tools or None,
        tool_choice=run.tool_choice,
        api_key=place.api_key,
        is_cancelled=recorder.is_cancelled,
        times=place.times,
        facilities=place.facilities,
    )


def _end(run: WorkflowRun, recorder: Recorder, ending: RunEvent, listen: Listener) -> RunState:
    state, changes = _outcome(ending, recorder.tool_calls)
    recorder.close(NodeState.CANCELLED if state is RunState.CANCELLED else NodeState.FAILED)
    recorder.note(_NAMES[state], {key: value for key, value in changes.items() if value})
    with transaction.atomic():
        recorder.flush()
        WorkflowRun.objects.filter(pk=run.pk, state=RunState.RUNNING).update(
            state=state, finished_at=utc_now(), lease_until=None, **changes
        )
    listen(ending)
    return state


def _outcome(ending: RunEvent, tool_calls: list[dict[str, Any]]) -> tuple[RunState, dict[str, str]]:
    if isinstance(ending, RunFinished):
        answer = ending.answer
        if tool_calls and isinstance(answer, str):
            # A streamed node leaves its text alone; what the client was told are the calls as well (workflows.md §4).
            answer = {"content": answer, "tool_calls": tool_calls, "finish_reason": "tool_calls"}
        return RunState.FINISHED, {"answer": format_output(answer) if answer is not None else ""}
    if isinstance(ending, RunFailed):
        return RunState.FAILED, {"error_code": ending.code, "error": ending.message}
    return RunState.CANCELLED, {}


_NAMES = {
    RunState.FINISHED: "run-finished",
    RunState.FAILED: "run-failed",
    RunState.CANCELLED: "run-cancelled",
}
