"""Who did what in the console. Nothing here or anywhere else changes or clears it."""

from __future__ import annotations

from memory.engine.audit import AuditFilter, AuditLine
from memory.models import AuditEntry
from wilmer_site.lib.paging import Page, PageRequest


def list_audit(filter: AuditFilter, page: PageRequest) -> Page[AuditLine]:
    """One page of the audit log, the newest first."""
    rows = AuditEntry.objects.order_by("-id")
    if filter.actor:
        rows = rows.filter(actor=filter.actor)
    if filter.action:
        rows = rows.filter(action=filter.action)
    if filter.target:
        rows = rows.filter(target__icontains=filter.target)
    shown = [
        AuditLine(row.pk, row.at, row.actor, row.action, row.target, row.details)
        for row in rows[page.offset : page.offset + page.size]
    ]
    return Page(shown, rows.count(), page.number, page.size)


def list_choices() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Everybody who is in the log, and everything that was done."""
    actors, actions = (
        tuple(AuditEntry.objects.order_by(name).values_list(name, flat=True).distinct()) for name in ("actor", "action")
    )
    return actors, actions
