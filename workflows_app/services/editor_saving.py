"""Saving from the editor's page, and what a person decides when it cannot simply be saved."""

from __future__ import annotations

from dataclasses import dataclass

from wilmer_site.lib.errors import InvalidError
from workflows_app import wiring
from workflows_app.engine.line_ends import restore_line_ends
from workflows_app.errors import ConfigChangedError, ConfigHasErrorsError, ConfigInvalidError, ConfigNotFoundError
from workflows_app.queries.editing import EditorRequest
from workflows_app.results import SavedConfig
from workflows_app.services import config_versions
from workflows_app.services.config_saving import save_config
from workflows_app.services.editor_clash import Clash, review_clash
from workflows_app.services.workflow_editing import Edited, Operation, apply_operation
from workflows_app.stores.config_writes import decode

EMPTY = "[]\n"


@dataclass(frozen=True, slots=True)
class Signature:
    """Who saves, and why."""

    author: str
    note: str = ""
    insist_reason: str = ""


@dataclass(frozen=True, slots=True)
class SaveOutcome:
    """What became of a save: exactly one of these is filled."""

    saved: SavedConfig | None = None
    clash: Clash | None = None
    refused: str = ""
    needs_reason: bool = False
    """Whether saying why would let it be saved."""
    is_gone: bool = False
    """Whether the file is not there any more; saving again makes a new one."""


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """A text after a step, or the old one with what was wrong with the step."""

    edited: Edited
    error: str = ""
    error_field: str = ""


def take_step(request: EditorRequest, operation: Operation) -> StepOutcome:
    """Do one step on the text; a step that cannot be done leaves it as it is."""
    try:
        return StepOutcome(apply_operation(request.text, operation))
    except InvalidError as error:
        unchanged = Edited(request.text, request.node)
        return StepOutcome(unchanged, error.message, str(error.extra.get("field", "")))


def save_edited(request: EditorRequest, signature: Signature) -> SaveOutcome:
    """Save the text with the line ends that the file has. Raises RefusedError, TooLargeError, UnsafeNameError."""
    text = restore_line_ends(request.text, _stored_text(request))
    try:
        saved = save_config(
            request.path,
            text,
            expected_etag=request.etag,
            author=signature.author,
            note=signature.note,
            insist_reason=signature.insist_reason,
        )
    except ConfigHasErrorsError as error:
        return SaveOutcome(refused=error.message, needs_reason=True)
    except ConfigNotFoundError as error:
        return SaveOutcome(refused=f"{error.message} Save once more to make it again.", is_gone=True)
    except ConfigChangedError:
        return SaveOutcome(clash=review_clash(request))
    except ConfigInvalidError as error:
        return SaveOutcome(refused=error.message)
    return SaveOutcome(saved=saved)


def _stored_text(request: EditorRequest) -> str:
    data = config_versions.find_content(request.path, request.etag) if request.etag else None
    return decode(data if data is not None else wiring.get_config_writer().find(request.path) or b"")[0]
