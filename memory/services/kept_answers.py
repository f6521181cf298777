"""Answers kept for programs that send a write twice because the first answer got lost (`Idempotency-Key`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from memory.models import KeptAnswer
from wilmer_site.lib.errors import BusyError, InvalidError

KEEP_FOR = timedelta(hours=24)
ABANDONED_AFTER = timedelta(minutes=10)
"""A request that was not answered by then has lost its process; the next one with its key takes its place."""

MAX_KEY_LENGTH = 200


class KeyReusedError(InvalidError):
    """The key belongs to another request."""

    code = "idempotency-key-reused"


class StillAnsweringError(BusyError):
    """The first request with this key is not answered yet."""

    code = "still-answering"


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered, ready to be sent again."""

    status: int
    body: str


def claim_answer(user_id: int, key: str, fingerprint: str, *, now: datetime) -> Answer | None:
    """The answer to the same request before; None when this one is the first and its answer shall be kept.

    The caller then ends with `keep_answer` or `release_answer`. Raises KeyReusedError or StillAnsweringError.
    """
    KeptAnswer.objects.filter(created_at__lt=now - KEEP_FOR).delete()
    KeptAnswer.objects.filter(user_id=user_id, key=key, status=0, created_at__lt=now - ABANDONED_AFTER).delete()
    try:
        with transaction.atomic():
            KeptAnswer.objects.create(user_id=user_id, key=key, fingerprint=fingerprint, created_at=now)
    except IntegrityError:
        return _find_answer(user_id, key, fingerprint)
    return None


def keep_answer(user_id: int, key: str, answer: Answer) -> None:
    """Keep the answer to the request that claimed the key."""
    KeptAnswer.objects.filter(user_id=user_id, key=key).update(status=answer.status, body=answer.body)


def release_answer(user_id: int, key: str) -> None:
    """Forget a request that changed nothing, so that it can be tried again under the same key."""
    KeptAnswer.objects.filter(user_id=user_id, key=key, status=0).delete()


def _find_answer(user_id: int, key: str, fingerprint: str) -> Answer:
    row = KeptAnswer.objects.filter(user_id=user_id, key=key).first()
    if row is not None and row.fingerprint != fingerprint:
        raise KeyReusedError("This Idempotency-Key was used for another request. Use a new one for every change.")
    if row is None or row.status == 0:
        raise StillAnsweringError("The first request with this Idempotency-Key is not answered yet. Ask again soon.")
    return Answer(row.status, row.body)
