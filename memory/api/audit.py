"""Who did what in the console; for staff."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from memory.api.pages import page_object
from memory.api.registration import Reading, reads
from memory.engine.audit import AuditFilter
from memory.queries import audit as queries
from memory.schemas.asked import AskedText, PageQuery
from memory.schemas.base import JsonObject, PageSchema, Text
from memory.services.permission import require_staff

router = Router()


class AuditQuery(PageQuery):
    """Which lines."""

    actor: AskedText = Field("", max_length=300)
    action: AskedText = Field("", max_length=300, description="Kebab case, such as `chunk-deleted`.")
    target: AskedText = Field("", max_length=300, description="Part of it, letter case ignored.")


class AuditLineSchema(Schema):
    """One thing somebody did."""

    id: int
    at: datetime
    actor: Text
    action: str
    target: Text
    details: JsonObject = Field(description="Counts, names and numbers; never conversation text.")


class AuditPage(PageSchema):
    """The audit log, the newest first."""

    items: list[AuditLineSchema]


@reads(router, "/audit", Reading("audit-list", "Audit", "List who did what", AuditPage, is_keyed=False))
def list_audit(request: HttpRequest, asked: Query[AuditQuery]) -> Any:
    """Staff only. Nothing changes or clears it."""
    require_staff(request.user)
    wanted = AuditFilter(asked.actor, asked.action, asked.target)
    return page_object(request, queries.list_audit(wanted, asked.page_request()))
