"""Requests of a node, sent again with other words."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path, Router, Status

from workflows_app import jobs
from workflows_app.api.runs import ERRORS, NodeNumber, RunId, person_of
from workflows_app.queries import attempts as queries
from workflows_app.schemas.attempts import AttemptIn, AttemptOut, AttemptPage, AttemptStartedOut, WordIn
from workflows_app.services import attempts

router = Router(tags=["Runs"])

AttemptNumber = Annotated[int, Path(ge=1, le=2**31)]


@router.get(
    "/runs/{run_id}/nodes/{number}/attempts",
    response={200: AttemptPage, **ERRORS},
    url_name="run-node-attempts",
    operation_id="run_node_attempts",
    summary="List the attempts of a node",
)
def list_attempts(request: HttpRequest, run_id: RunId, number: NodeNumber) -> Any:
    """Every other try of the requests that this node sent to models."""
    found = queries.list_attempts(run_id, number)
    return {"items": found, "total": len(found)}


@router.post(
    "/runs/{run_id}/nodes/{number}/attempts",
    response={201: AttemptStartedOut, **ERRORS},
    url_name="run-node-attempt-start",
    operation_id="run_node_attempt_start",
    summary="Try a request of a node again",
)
def start_attempt(request: HttpRequest, run_id: RunId, number: NodeNumber, asked: AttemptIn) -> Any:
    """Send one real call with changed words; answers at once, the answer grows in the attempt."""
    words = None if asked.words is None else [_word(word, at) for at, word in enumerate(asked.words, start=1)]
    facts = asked.dict(exclude={"words"})
    wanted = attempts.AttemptRequest(**facts, words=words)
    attempt = jobs.start_attempt_job(run_id, number, wanted, requested_by=person_of(request))
    return Status(201, {"number": attempt, "state": queries.get_attempt(run_id, number, attempt).state})


@router.get(
    "/runs/{run_id}/nodes/{number}/attempts/{attempt}",
    response={200: AttemptOut, **ERRORS},
    url_name="run-node-attempt",
    operation_id="run_node_attempt",
    summary="Get one attempt",
)
def get_attempt(request: HttpRequest, run_id: RunId, number: NodeNumber, attempt: AttemptNumber) -> Any:
    """What was sent, and the answer as far as it has come."""
    return queries.get_attempt(run_id, number, attempt)


@router.post(
    "/runs/{run_id}/nodes/{number}/attempts/{attempt}/cancel",
    response={200: AttemptStartedOut, **ERRORS},
    url_name="run-node-attempt-cancel",
    operation_id="run_node_attempt_cancel",
    summary="Cancel an attempt",
)
def cancel_attempt(request: HttpRequest, run_id: RunId, number: NodeNumber, attempt: AttemptNumber) -> Any:
    """End a try in the middle of its answer; it may still be `running` for a moment."""
    queries.get_attempt(run_id, number, attempt)
    attempts.cancel_attempt(run_id, number, attempt)
    return {"number": attempt, "state": queries.get_attempt(run_id, number, attempt).state}


def _word(word: WordIn, position: int) -> queries.Word:
    return queries.Word(word.role, word.content, position if word.origin is None else word.origin)
