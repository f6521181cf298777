"""Opening an encrypted discussion with its key."""

from __future__ import annotations

from dataclasses import dataclass

from memory.contexts.discussions import DiscussionStrip
from memory.forms import UnlockForm
from memory.results import DiscussionHeader


@dataclass(frozen=True, slots=True)
class DiscussionUnlockContext:
    """The form that takes the key."""

    discussion: DiscussionStrip
    form: UnlockForm

    @classmethod
    def build(cls, header: DiscussionHeader, form: UnlockForm) -> DiscussionUnlockContext:
        """The page with the form as typed, without the key."""
        return cls(DiscussionStrip.build(header, ""), form)
