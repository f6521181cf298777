"""What a repair is: who mends which discussion, what is said before, and what came of it."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field

from memory.results import ApiKeys
from memory.services.editing import Editor, Outcome
from memory.types import DiscussionRef
from wilmer_site.lib.errors import InvalidError


@dataclass(frozen=True, slots=True)
class Repairer:
    """Who mends which discussion."""

    ref: DiscussionRef
    actor: str
    keys: ApiKeys = field(default_factory=dict)
    chunk: int | None = None
    """Where a link shall point, for repairs that ask; 0 for nowhere."""

    def editor(self, *, is_dry_run: bool = False) -> Editor:
        """The same for changes to memory."""
        return Editor(self.ref, self.actor, self.keys, is_dry_run)


@dataclass(frozen=True, slots=True)
class Repaired:
    """A repair that was made."""

    action: str
    batch: uuid.UUID | None
    """Takes it back; None when nothing was recorded."""


@dataclass(frozen=True, slots=True)
class Fix:
    """One kind of repair."""

    action: str
    explanation: str
    run: Callable[[Repairer], Repaired]
    measure: Callable[[Editor, int], Outcome] | None = None
    """What would follow, for changes to memory."""
    list_steps: Callable[[Repairer], tuple[str, ...]] | None = None
    """What would be done to which file. It raises what keeps it from being done."""
    asks: bool = False
    """Whether it asks for a chunk."""
    is_recorded: bool = True
    """Whether it changes contents, which the history then keeps."""


def by_editing(change: Callable[[Editor, int], Outcome], *, asks: bool) -> Callable[[Repairer], Repaired]:
    """A repair that is a change to memory as people make it."""

    def run(repairer: Repairer) -> Repaired:
        if asks and repairer.chunk is None:
            raise InvalidError("Say which chunk the link shall name; 0 for none.", field="chunk")
        outcome = change(repairer.editor(), repairer.chunk or 0)
        return Repaired(getattr(outcome, "action", "Nothing was changed"), getattr(outcome, "batch", None))

    return run
