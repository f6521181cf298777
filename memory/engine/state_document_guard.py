"""Whether a merged state document may replace the old one (memory.md §17)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from wilmer_site.lib.errors import InvalidError

GUARD_MIN_LENGTH = 500
"""Documents of at most this many characters may shrink freely."""

NO_STATE_DOCUMENT = "No state document has been created yet"


class StateDocumentOutcome(StrEnum):
    """What became of one update."""

    REPLACED = "replaced"
    SWITCHED_OFF = "switched-off"
    NO_WORKFLOW = "no-workflow"
    """`useStateDocument` is on, but `stateDocumentWorkflowName` is missing."""
    NO_NEW_TEXTS = "no-new-texts"
    BLANK_OUTPUT = "blank-output"
    SHRUNK_TOO_MUCH = "shrunk-too-much"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class GuardVerdict:
    """What the guard says of one merged text, with its numbers."""

    outcome: StateDocumentOutcome
    text: str
    """The document to keep: the new one trimmed, or the old one."""
    old_length: int
    new_length: int
    needed_length: float
    """Fewest characters the new text must have; 0 when the guard does not apply."""
    problem: str = ""
    """For people, why new memories did not get into the document; empty when they did or none should."""

    @property
    def is_replaced(self) -> bool:
        """Whether the new text is taken."""
        return self.outcome is StateDocumentOutcome.REPLACED


def guard_state_document(old: str, output: object, ratio: object) -> GuardVerdict:
    """Take the new text unless it is blank or shrinks a longer document below `ratio` of its length; 0 = no guard.

    Raises InvalidError when the guard applies and the ratio is not a number.
    """
    new = "" if output is None else str(output).strip()
    needed = _needed_length(old, ratio)
    if not new:
        return GuardVerdict(StateDocumentOutcome.BLANK_OUTPUT, old, len(old), 0, needed, "the merged text was blank.")
    if len(new) < needed:
        why = f"the merged text had {len(new):,} characters, where at least {needed:,.0f} must remain."
        return GuardVerdict(StateDocumentOutcome.SHRUNK_TOO_MUCH, old, len(old), len(new), needed, why)
    return GuardVerdict(StateDocumentOutcome.REPLACED, new, len(old), len(new), needed)


def build_state_inputs(new_texts: Sequence[str], old: str) -> tuple[str, str]:
    """The two scoped inputs of the merge workflow."""
    return "\n".join(f"- {text}" for text in new_texts), old


def format_state_document(text: str) -> str:
    """What `GetCurrentStateDocument` gives: the document, not trimmed, or that there is none."""
    return text if text.strip() else NO_STATE_DOCUMENT


def _needed_length(old: str, ratio: object) -> float:
    if not ratio or len(old) <= GUARD_MIN_LENGTH:
        return 0.0
    if not isinstance(ratio, int | float):
        raise InvalidError(f"stateDocumentMinRetentionRatio must be a number such as 0.5; it is {ratio!r}.")
    return ratio * len(old)
