"""Who did what in the console; for staff."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from memory.contexts.audit import AuditListContext
from memory.forms import parse_page
from memory.forms_history import parse_audit
from memory.queries import audit
from memory.services.permission import require_staff
from wilmer_site.lib.htmx import HtmxHttpRequest, render_page


@require_safe
def audit_list(request: HtmxHttpRequest) -> HttpResponse:
    """One page of the audit log, the newest first."""
    require_staff(request.user)
    wanted = parse_audit(request.GET)
    page = audit.list_audit(wanted, parse_page(request.GET))
    context = AuditListContext.build(page, wanted, audit.list_choices())
    return render_page(request, "memory/audit_list.html", "audit-table", context)
