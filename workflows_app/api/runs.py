"""Runs of workflows: started, watched, cancelled, begun again in the middle."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from ninja import Path, Query, Router, Status

from wilmer_site.api_schemas import ErrorOut
from wilmer_site.keyring import keys_of
from wilmer_site.lib.paging import PageRequest
from wilmer_site.lib.sse import ServerEvent, event_stream
from workflows_app import jobs
from workflows_app.queries import runs as queries
from workflows_app.run_results import RunEventRecord
from workflows_app.schemas.runs import (
    EventQuery,
    NodeDetailOut,
    PinIn,
    RerunIn,
    RunDetailOut,
    RunIn,
    RunPage,
    RunQuery,
    RunStartedOut,
)
from workflows_app.services import reruns, runs
from workflows_app.services.following import follow_events

router = Router(tags=["Runs"])

ERRORS = {401: ErrorOut, 403: ErrorOut, 404: ErrorOut, 409: ErrorOut, 422: ErrorOut, 503: ErrorOut}
RunId = Annotated[int, Path(ge=1, le=2**31)]
NodeNumber = Annotated[int, Path(ge=1, le=2**31, description="From 1, in the order the nodes were started.")]


@router.get(
    "/runs",
    response={200: RunPage, **ERRORS},
    url_name="run-list",
    operation_id="run_list",
    summary="List runs",
)
def list_runs(request: HttpRequest, asked: Query[RunQuery]) -> Any:
    """One page of the recorded runs, the newest first."""
    page = queries.list_runs(asked.as_filter(), PageRequest(asked.page, asked.size))
    facts = {"total": page.total, "page": page.number, "size": page.size, "pages": page.count_pages}
    return {"items": page.items, **facts}


@router.post(
    "/runs",
    response={201: RunStartedOut, **ERRORS},
    url_name="run-start",
    operation_id="run_start",
    summary="Start a run",
)
def start_run(request: HttpRequest, asked: RunIn) -> Any:
    """Note a run down for the workers; answers at once. Memory is read and written in a copy unless told otherwise."""
    run_id = jobs.start_run_job(runs.RunRequest(**asked.dict()), requested_by=person_of(request), keys=keys_of(request))
    return Status(201, {"id": run_id, "state": queries.get_state(run_id)})


@router.get(
    "/runs/{run_id}",
    response={200: RunDetailOut, **ERRORS},
    url_name="run",
    operation_id="run",
    summary="Get one run",
)
def get_run(request: HttpRequest, run_id: RunId) -> Any:
    """A run with the tree of its nodes and its answer."""
    return queries.get_run(run_id)


@router.delete(
    "/runs/{run_id}",
    response={204: None, **ERRORS},
    url_name="run-delete",
    operation_id="run_delete",
    summary="Delete a run",
)
def delete_run(request: HttpRequest, run_id: RunId) -> Any:
    """Forget a run that is over, with everything recorded of it and its sandbox copy."""
    runs.delete_run(run_id)
    return Status(204, None)


@router.post(
    "/runs/{run_id}/cancel",
    response={200: RunStartedOut, **ERRORS},
    url_name="run-cancel",
    operation_id="run_cancel",
    summary="Cancel a run",
)
def cancel_run(request: HttpRequest, run_id: RunId) -> Any:
    """End a run, in the middle of a model's answer too; it may still be `running` for a moment."""
    return {"id": run_id, "state": runs.cancel_run(run_id)}


@router.post(
    "/runs/{run_id}/reruns",
    response={201: RunStartedOut, **ERRORS},
    url_name="run-rerun",
    operation_id="run_rerun",
    summary="Run again from a node",
)
def start_rerun(request: HttpRequest, run_id: RunId, asked: RerunIn) -> Any:
    """A new run that takes the outputs of all nodes before one from this run."""
    new_id = jobs.start_rerun_job(
        run_id, reruns.RerunRequest(**asked.dict()), requested_by=person_of(request), keys=keys_of(request)
    )
    return Status(201, {"id": new_id, "state": queries.get_state(new_id)})


@router.get(
    "/runs/{run_id}/nodes/{number}",
    response={200: NodeDetailOut, **ERRORS},
    url_name="run-node",
    operation_id="run_node",
    summary="Get one node of a run",
)
def get_node(request: HttpRequest, run_id: RunId, number: NodeNumber) -> Any:
    """Resolved prompts, variables, requests sent, output, files and warnings of one node."""
    return queries.get_node(run_id, number)


@router.put(
    "/runs/{run_id}/nodes/{number}/pin",
    response={204: None, **ERRORS},
    url_name="run-node-pin",
    operation_id="run_node_pin",
    summary="Pin the output of a node",
)
def pin_node(request: HttpRequest, run_id: RunId, number: NodeNumber, asked: PinIn) -> Any:
    """Let every run that starts from this one use this output, or no longer."""
    reruns.pin_node(run_id, number, is_pinned=asked.is_pinned)
    return Status(204, None)


@router.get(
    "/runs/{run_id}/events",
    response={200: None, **ERRORS},
    url_name="run-event-list",
    operation_id="run_events",
    summary="Follow a run",
    openapi_extra={
        "responses": {
            200: {
                "description": "Events as they come.",
                "content": {
                    "text/event-stream": {"schema": {"type": "string"}},
                    "application/x-ndjson": {"schema": {"type": "string"}},
                },
            }
        }
    },
)
def list_events(request: HttpRequest, run_id: RunId, asked: Query[EventQuery]) -> HttpResponse | StreamingHttpResponse:
    """Events behind `after`, until the run is over. The name of an event is its kind, such as `node-finished`."""
    queries.get_state(run_id)
    after = max(asked.after, _last_seen(request))
    batches = follow_events(run_id, after=after, is_following=asked.follow)
    if asked.form == "jsonl":
        response = StreamingHttpResponse(_lines(batches), content_type="application/x-ndjson")
        response["Cache-Control"], response["X-Accel-Buffering"] = "no-cache", "no"
        return response
    return event_stream(event for batch in batches for event in _as_server_events(batch))


def _as_server_events(batch: list[RunEventRecord]) -> Iterator[ServerEvent]:
    if not batch:
        yield ServerEvent("keep-alive", "{}")
    for event in batch:
        yield ServerEvent(event.name, json.dumps({"node": event.node, **event.data}), str(event.number))


def _lines(batches: Iterator[list[RunEventRecord]]) -> Iterator[bytes]:
    for batch in batches:
        for event in batch:
            yield json.dumps(asdict(event)).encode() + b"\n"


def _last_seen(request: HttpRequest) -> int:
    """A browser that connects again says where it was."""
    text = request.headers.get("Last-Event-ID", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else 0


def person_of(request: HttpRequest) -> Any:
    """Whoever asks, if it is a person with an account."""
    return request.user if request.user.is_authenticated else None
