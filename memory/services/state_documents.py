"""Keeping the state document up to date (memory.md §17, W25)."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from memory.engine.state_document_guard import (
    GuardVerdict,
    StateDocumentOutcome,
    guard_state_document,
)
from memory.services.memory_calls import build_state_call
from memory.services.workshop import SAFE_STATES, Progress, Step, Workshop
from wilmer_site.lib.errors import WilmerError

logger = logging.getLogger(__name__)

NO_WORKFLOW = "useStateDocument is on, but stateDocumentWorkflowName names no workflow."


def update_state_document(workshop: Workshop, new_texts: Sequence[str]) -> GuardVerdict:
    """Merge new memories into the state document, if the settings ask for it.

    Any failure is logged and told by the outcome; the stored memories are not affected.
    """
    skipped = _find_reason_to_skip(workshop, new_texts)
    if skipped:
        return _keep(skipped, NO_WORKFLOW if skipped is StateDocumentOutcome.NO_WORKFLOW else "")
    try:
        verdict = _update(workshop, new_texts)
    except WilmerError as error:
        logger.warning("The state document of %s was not updated: %s", workshop.ref.text, error.code)
        verdict = _keep(StateDocumentOutcome.FAILED, error.message)
    workshop.report(Progress(Step.STATE_DOCUMENT, detail=verdict.outcome))
    return verdict


def _find_reason_to_skip(workshop: Workshop, new_texts: Sequence[str]) -> StateDocumentOutcome | None:
    if not workshop.settings.uses_state_document:
        return StateDocumentOutcome.SWITCHED_OFF
    if not workshop.settings.text("stateDocumentWorkflowName"):
        logger.error(NO_WORKFLOW)
        return StateDocumentOutcome.NO_WORKFLOW
    return None if new_texts else StateDocumentOutcome.NO_NEW_TEXTS


def _update(workshop: Workshop, new_texts: Sequence[str]) -> GuardVerdict:
    before = workshop.files.read_state_document()
    if before.report.state not in SAFE_STATES:
        logger.error("The state document of %s cannot be read and stays as it is.", workshop.ref.text)
        return _keep(StateDocumentOutcome.FAILED, before.report.problem or "it cannot be read.")
    output = workshop.model.ask(build_state_call(workshop.settings, new_texts, before.text))
    verdict = guard_state_document(before.text, output, workshop.settings.retention_ratio)
    if verdict.is_replaced:
        # An edit made while the workflow ran raises FileChangedError and stays.
        workshop.files.write_state_document(verdict.text, expected_etag=before.report.etag or "")
    return verdict


def _keep(outcome: StateDocumentOutcome, problem: str = "") -> GuardVerdict:
    return GuardVerdict(outcome, "", 0, 0, 0.0, problem)
