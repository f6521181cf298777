"""Who is writing, and why. Set around a write, so that stores need not be told."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field

from memory.models.journal import Revision

Origin = Revision.Origin

MEMORY_RUN = "memory run"
"""Whoever generates memories without a person having said so."""

OUTSIDE = "WilmerAI or another program"


@dataclass(frozen=True, slots=True)
class Authorship:
    """What a revision says of the one who made it."""

    actor: str = MEMORY_RUN
    action: str = "Generated memories"
    """For people, in the past tense: `Edited chunk 3`."""
    origin: Origin = Origin.GENERATION
    batch: uuid.UUID = field(default_factory=uuid.uuid4)
    undoes: uuid.UUID | None = None


_current: ContextVar[Authorship | None] = ContextVar("authorship", default=None)


@contextlib.contextmanager
def writing_as(
    actor: str,
    action: str,
    *,
    origin: Origin = Origin.EDIT,
    batch: uuid.UUID | None = None,
    undoes: uuid.UUID | None = None,
) -> Iterator[Authorship]:
    """Sign every write inside. Writes of one block share a batch and are undone together.

    `batch` joins an earlier block; `undoes` names the batch that is taken back.
    """
    signed = Authorship(actor, action, origin, batch or uuid.uuid4(), undoes)
    token = _current.set(signed)
    try:
        yield signed
    finally:
        _current.reset(token)


def current_authorship() -> Authorship:
    """Who is writing now; outside of every block it is a run that generates memories."""
    return _current.get() or Authorship()
