"""Saving from the editor's page, and what a person decides when it cannot simply be saved."""

from __future__ import annotations

from dataclasses import dataclass, field

from wilmer_site.lib.errors import InvalidError
from workflows_app import wiring
from workflows_app.engine.config_diff import ConfigDiff, diff_documents
from workflows_app.engine.config_merge import Merge, merge_texts
from workflows_app.engine.config_secrets import mask_text, restore_text
from workflows_app.engine.json_places import parse, read_value
from workflows_app.engine.line_ends import restore_line_ends
from workflows_app.errors import ConfigChangedError, ConfigHasErrorsError, ConfigInvalidError
from workflows_app.queries.editing import EditorRequest
from workflows_app.results import SavedConfig
from workflows_app.services import config_versions
from workflows_app.services.config_saving import find_config, save_config
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
class Clash:
    """Two texts that were both made from a third one. Secrets are masked in all of them."""

    path: str
    etag: str
    """The version on disk now."""
    ours: str = field(repr=False)
    theirs: str = field(repr=False)
    our_changes: ConfigDiff | None = None
    their_changes: ConfigDiff | None = None
    """None where a text cannot be taken apart."""
    merge: Merge | None = None
    """None when they cannot be merged; `reason` says why."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SaveOutcome:
    """What became of a save: exactly one of these is filled."""

    saved: SavedConfig | None = None
    clash: Clash | None = None
    refused: str = ""
    needs_reason: bool = False
    """Whether saying why would let it be saved."""


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
    except ConfigChangedError:
        return SaveOutcome(clash=review_clash(request))
    except ConfigInvalidError as error:
        return SaveOutcome(refused=error.message)
    return SaveOutcome(saved=saved)


def review_clash(request: EditorRequest) -> Clash:
    """Both texts side by side with what each changed, and a merge of them as far as that can be."""
    path = request.path
    current = find_config(path)
    theirs = current.text
    base_bytes = config_versions.find_content(path, request.etag)
    base = decode(base_bytes)[0] if base_bytes is not None else ""
    shown = Clash(path, current.etag, request.text, mask_text(path, theirs))
    if base_bytes is None:
        return _only(shown, "The text that yours was begun from was never kept, so nobody knows what you changed.")
    try:
        ours = restore_line_ends(restore_text(path, request.text, base), theirs)
        first, second = (diff_documents(_value(base), _value(text)) for text in (ours, theirs))
        merge = merge_texts(base, ours, theirs)
    except InvalidError as error:
        return _only(shown, f"They cannot be merged: {error.message}")
    masked = mask_text(path, merge.text)
    if restore_text(path, masked, theirs) != merge.text:
        return _only(shown, "Both have other secrets, so they cannot be merged here.")
    merge.text = masked
    return Clash(path, current.etag, request.text, shown.theirs, first, second, merge)


def _only(clash: Clash, reason: str) -> Clash:
    return Clash(clash.path, clash.etag, clash.ours, clash.theirs, reason=reason)


def _value(text: str) -> object:
    return read_value(text, parse(text).root)


def _stored_text(request: EditorRequest) -> str:
    data = config_versions.find_content(request.path, request.etag) if request.etag else None
    return decode(data if data is not None else wiring.get_config_writer().find(request.path) or b"")[0]
