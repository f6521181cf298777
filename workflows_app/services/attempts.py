"""Trying a request of a node again with changed words: one real call, its answer kept beside the old one."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from django.db import transaction
from django.db.models import Max

from memory.engine.tokens import estimate_tokens
from wilmer_site.lib.clock import local_now, utc_now
from wilmer_site.lib.errors import ConflictError, InvalidError, WilmerError
from workflows_app import wiring
from workflows_app.engine.conversation import wrap_in_template
from workflows_app.engine.events import ModelAsked, RunEvent, TokenStreamed
from workflows_app.engine.node import Steps
from workflows_app.engine.run import Configs, Run
from workflows_app.errors import RunCancelledError
from workflows_app.llm.calling import Question, stream_model
from workflows_app.llm.cleaning import CleaningRules
from workflows_app.llm.kept_requests import PROMPT, find_schema
from workflows_app.llm.requests import Saying
from workflows_app.models import NodeAttempt
from workflows_app.queries.attempts import Word, get_sheet
from workflows_app.results import RunState
from workflows_app.services.metering import Meter, meter_clients
from workflows_app.services.node_facts import cut_body
from workflows_app.services.recording import FLUSH_SECONDS, LEASE
from workflows_app.services.reruns import get_node_row
from workflows_app.types import ChatMessage, Target

logger = logging.getLogger(__name__)

MAX_KEPT = 50
"""Tries that are kept of one node; the oldest go."""
LOST = "The process that sent this died or was stopped. Send it again."
_LIVE = (RunState.QUEUED, RunState.RUNNING)
_AS_SENT = {"addTextToStartOfSystem": False, "addTextToStartOfPrompt": False, "addTextToStartOfCompletion": False}
"""What is said goes out as it stands: the endpoint's own additions are in it already."""


@dataclass(frozen=True, slots=True)
class AttemptRequest:
    """What is sent; None: as it was sent before."""

    call: int = 1
    endpoint: str | None = None
    preset: str | None = None
    response_tokens: int | None = None
    words: Sequence[Word] | None = None


def start_attempt(run_id: int, number: int, asked: AttemptRequest, *, requested_by: Any = None) -> NodeAttempt:
    """Note down a try that a worker will send.

    Raises RunNotFoundError, NodeRunNotFoundError, InvalidError for a request the node did not send, for nothing to
    say or no endpoint, ConflictError while another try of the node goes on.
    """
    node, sheet = get_node_row(run_id, number), get_sheet(run_id, number, asked.call)
    words = [word for word in (sheet.words if asked.words is None else asked.words) if _says(word, sheet.sent)]
    endpoint = sheet.endpoint if asked.endpoint is None else asked.endpoint
    if not words:
        raise InvalidError("There is nothing to send. Write a prompt or a message.", field="words")
    if not endpoint:
        raise InvalidError("Choose an endpoint to send this to.", field="endpoint")
    with transaction.atomic():
        if node.attempts.filter(state__in=_LIVE).exists():
            raise ConflictError("Another attempt of this node is still going on.", run=run_id, node=number)
        last = node.attempts.aggregate(last=Max("number"))["last"] or 0
        node.attempts.filter(number__lte=last + 1 - MAX_KEPT).delete()
        return NodeAttempt.objects.create(
            node=node,
            number=last + 1,
            call=asked.call,
            endpoint=endpoint,
            preset=sheet.preset if asked.preset is None else asked.preset,
            response_tokens=asked.response_tokens or sheet.response_tokens,
            words=[asdict(word) for word in words],
            asked_at=utc_now(),
            requested_by=requested_by,
        )


def execute_attempt(attempt_id: int) -> RunState | None:
    """Send what waits under this id and keep the answer; returns how it ended, None when there is nothing to do."""
    attempt = _claim(attempt_id)
    if attempt is None:
        return None
    meter = Meter()
    writer = _Writer(attempt, meter)
    try:
        for event in _ask(attempt, meter, writer):
            writer.take(event)
    except RunCancelledError:
        return writer.close(RunState.CANCELLED)
    except WilmerError as error:
        return writer.close(RunState.FAILED, error.code, error.message)
    except Exception as error:
        logger.exception("Attempt %s broke.", attempt)
        return writer.close(RunState.FAILED, "broken", f"The console broke: {type(error).__name__}: {error}")
    return writer.close(RunState.FINISHED)


def cancel_attempt(run_id: int, number: int, attempt: int) -> None:
    """End a try, in the middle of an answer too; one that is over stays as it is."""
    rows = NodeAttempt.objects.filter(node__run_id=run_id, node__number=number, number=attempt)
    rows.filter(state=RunState.QUEUED).update(state=RunState.CANCELLED, cancel_requested=True)
    rows.filter(state=RunState.RUNNING).update(cancel_requested=True)


def reap_stale_attempts() -> int:
    """Fail the tries whose process was not heard of in time; returns how many."""
    lost = NodeAttempt.objects.filter(state=RunState.RUNNING, lease_until__lt=utc_now())
    return lost.update(state=RunState.FAILED, error_code="run-lost", error=LOST, lease_until=None)


def _claim(attempt_id: int) -> NodeAttempt | None:
    """Take up a waiting try; of two workers one gets it."""
    waiting = NodeAttempt.objects.filter(pk=attempt_id, state=RunState.QUEUED)
    if not waiting.update(state=RunState.RUNNING, lease_until=utc_now() + LEASE):
        return None
    return NodeAttempt.objects.select_related("node__run").get(pk=attempt_id)


def _ask(attempt: NodeAttempt, meter: Meter, writer: _Writer) -> Steps:
    configs = wiring.open_configs(attempt.node.run.user)
    facilities = wiring.build_facilities(configs)
    facilities[wiring.ModelClients] = meter_clients(facilities[wiring.ModelClients], meter)
    run = Run(
        configs=configs,
        locks=wiring.build_locks(configs, wiring.get_sandbox(attempt.node.run_id)),
        messages=[],
        now=local_now,
        is_cancelled=writer.is_cancelled,
        facilities=facilities,
    )
    sent = _find_sent(attempt, configs)
    found = configs.read_target(attempt.endpoint)
    target = replace(found, endpoint={**found.endpoint, **_AS_SENT, "backupEndpointName": ""})
    question = Question(
        target=target,
        preset=attempt.preset,
        response_tokens=attempt.response_tokens,
        compose=lambda there: _say([Word(**word) for word in attempt.words], sent, there),
    )
    yield from stream_model(run, question, CleaningRules.of({}, target.endpoint, configs.user))


def _find_sent(attempt: NodeAttempt, configs: Configs) -> Saying:
    """The request that the try repeats, the schema of its answer included while its endpoint is there."""
    sheet = get_sheet(attempt.node.run_id, attempt.node.number, attempt.call)
    record = attempt.node.calls[attempt.call - 1]
    with contextlib.suppress(WilmerError):
        return replace(sheet.sent, schema=find_schema(record["body"], configs.read_target(sheet.endpoint).api_type))
    return sheet.sent


def _say(words: Sequence[Word], sent: Saying, target: Target) -> Saying:
    """The words in the form the server takes: one prompt for some, messages for others."""
    messages = [_message(word, sent) for word in words]
    if not target.takes_single_prompt:
        return replace(sent, messages=tuple(messages))
    images = tuple(image for message in messages for image in message.get("images") or ())
    if all(word.role == PROMPT for word in words):
        return Saying(prompt="\n".join(word.content for word in words), images=images)
    return Saying(prompt=wrap_in_template(messages, target.template), images=images)


def _message(word: Word, sent: Saying) -> ChatMessage:
    return {**_find_extras(word, sent), "role": "user" if word.role == PROMPT else word.role, "content": word.content}


def _says(word: Word, sent: Saying) -> bool:
    return bool(word.content.strip() or _find_extras(word, sent))


def _find_extras(word: Word, sent: Saying) -> ChatMessage:
    """Pictures and tool calls of the message that the word was; none when somebody else says it now."""
    origin = sent.messages[word.origin - 1] if 1 <= word.origin <= len(sent.messages) else {}
    if origin.get("role") != word.role:
        return {}
    return {key: value for key, value in origin.items() if key not in {"role", "content"}}


_SHOWN = ("output", "url", "body", "lease_until")
_ENDS = ("state", "error_code", "error", "milliseconds", "api_type")
_WRITTEN = (*_SHOWN, *_ENDS, "prompt_tokens", "completion_tokens", "is_measured")


class _Writer:
    """Writes what happens in one try, a few times a second, and asks whether it shall go on."""

    def __init__(self, attempt: NodeAttempt, meter: Meter) -> None:
        self._attempt, self._meter = attempt, meter
        self._started = self._last_flush = time.monotonic()
        self._is_cancelled = False

    def take(self, event: RunEvent) -> None:
        """Keep one event."""
        if isinstance(event, ModelAsked):
            self._attempt.url, self._attempt.body = event.url, cut_body(event.body)
        if isinstance(event, TokenStreamed):
            self._attempt.output += event.text
        self._flush_if_due()

    def is_cancelled(self) -> bool:
        """Whether somebody cancelled the try."""
        self._flush_if_due()
        return self._is_cancelled

    def close(self, state: RunState, code: str = "", error: str = "") -> RunState:
        """Write how it ended."""
        attempt = self._attempt
        attempt.state, attempt.error_code, attempt.error, attempt.lease_until = state, code, error, None
        attempt.milliseconds = (time.monotonic() - self._started) * 1000
        self._count()
        # An update, because the run may have been deleted meanwhile.
        NodeAttempt.objects.filter(pk=attempt.pk).update(**{name: getattr(attempt, name) for name in _WRITTEN})
        return state

    def _count(self) -> None:
        attempt, measures = self._attempt, self._meter.drain()
        if measures:
            attempt.api_type, attempt.milliseconds = measures[-1].type, measures[-1].milliseconds
            attempt.prompt_tokens = measures[-1].usage.prompt_tokens
            attempt.completion_tokens = measures[-1].usage.completion_tokens
        attempt.is_measured = attempt.prompt_tokens is not None and attempt.completion_tokens is not None
        if not attempt.is_measured:
            attempt.prompt_tokens = sum(estimate_tokens(word["content"]) for word in attempt.words)
            attempt.completion_tokens = estimate_tokens(attempt.output)

    def _flush_if_due(self) -> None:
        if time.monotonic() - self._last_flush < FLUSH_SECONDS:
            return
        self._last_flush = time.monotonic()
        self._attempt.lease_until = utc_now() + LEASE
        mine = NodeAttempt.objects.filter(pk=self._attempt.pk)
        shown = {name: getattr(self._attempt, name) for name in _SHOWN}
        is_running = mine.filter(state=RunState.RUNNING).update(**shown)
        self._is_cancelled = not is_running or bool(mine.values_list("cancel_requested", flat=True).first())
