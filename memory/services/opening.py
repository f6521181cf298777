"""Opening a discussion for a run that generates memories."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from memory.engine.memory_settings import MemorySettings
from memory.engine.messages import PreparationOptions
from memory.engine.model_calls import Embedder, Model, Watch, ignore
from memory.results import ApiKeys
from memory.services.notes_database import DatabaseAttemptLog
from memory.services.workshop import Progress, Step, Workshop, never_cancelled, report_nothing
from memory.types import DiscussionRef
from memory.wiring import (
    build_embedder,
    build_model,
    get_memory_settings,
    get_public_folder,
    get_user_settings,
    open_discussion,
    open_or_create_discussion,
)
from wilmer_site.lib.errors import RefusedError, WilmerError


@dataclass(frozen=True, slots=True)
class WorkshopRequest:
    """Which discussion to open, and who is asked and told."""

    ref: DiscussionRef
    keys: ApiKeys = field(default_factory=dict)
    model: Model | None = None
    """None: the model that is connected to this console."""
    embedder: Embedder | None = None
    embeds: bool = False
    """Without an embedder: use the one that the settings name; `report` is told if it cannot be had."""
    settings: MemorySettings | None = None
    """None: the memory settings of the WilmerAI user whose config counts."""
    may_create: bool = False
    """Whether a discussion that does not exist yet is begun."""
    report: Callable[[Progress], None] = report_nothing
    is_cancelled: Callable[[], bool] = never_cancelled
    remark: Callable[[str], None] = ignore
    """Hears doubts about the answers of the connected model (`Watch.remark`)."""


class UnconnectedModel:
    """Stands in where no model is needed, such as a preview; raises RefusedError when asked after all."""

    def ask(self, call: object) -> str | None:
        """Refuse."""
        raise RefusedError("This run was opened for looking only, so no model may be asked.", call=type(call).__name__)


def open_workshop(request: WorkshopRequest) -> Workshop:
    """The workshop of one discussion, with the notes of earlier runs.

    Raises DiscussionNotFoundError, UnsafeDiscussionIdError, RefusedError without a model, and NotFoundError or
    DamagedFileError when the memory settings cannot be read.
    """
    opened = open_or_create_discussion if request.may_create else open_discussion
    settings = request.settings or get_memory_settings()
    return Workshop(
        files=opened(request.ref, request.keys),
        settings=settings,
        model=request.model or build_model(Watch(request.is_cancelled, request.remark)),
        log=DatabaseAttemptLog(get_public_folder().discussions_root),
        embedder=request.embedder or (_find_embedder(request, settings) if request.embeds else None),
        report=request.report,
        is_cancelled=request.is_cancelled,
    )


def get_preparation_options() -> PreparationOptions:
    """How that user's messages are prepared before they are hashed (memory.md §1)."""
    user = get_user_settings()
    return PreparationOptions(user.adds_role_labels, user.adds_missing_assistant)


def _find_embedder(request: WorkshopRequest, settings: MemorySettings) -> Embedder | None:
    """Memories stay searchable by keywords without one, so it is no reason not to make them (memory.md §16)."""
    try:
        return build_embedder(settings.text("embeddingEndpointName"))
    except WilmerError as error:
        request.report(Progress(Step.EMBEDDING_FAILED, detail=error.message))
        return None
