"""Who did what in the console, for those who look after it."""

from __future__ import annotations

from memory.models import AuditEntry
from wilmer_site.lib.clock import utc_now


def note(actor: str, action: str, target: str = "", /, **details: object) -> AuditEntry:
    """Add a line to the audit log, which nothing changes or clears.

    `action` is kebab case (`chunk-deleted`), `target` names a discussion, workflow or config. `details` are counts,
    names and numbers that JSON can hold; never conversation text.
    """
    return AuditEntry.objects.create(
        at=utc_now(), actor=actor, action=action, target=_storable(target), details=details
    )


def _storable(text: str) -> str:
    """Ids may hold halves of surrogate pairs, which a database refuses."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\x00", "\\x00")
