"""JSON Schema of every kind of config file, for other editors."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from ninja import Router

from wilmer_site.api_schemas import ErrorOut
from workflows_app.configs.kinds import ConfigKind
from workflows_app.configs.schema import build_schema
from workflows_app.schemas.linting import ConfigKindList

router = Router(tags=["Configs"])

_ERRORS = {401: ErrorOut, 403: ErrorOut, 404: ErrorOut, 422: ErrorOut}


@router.get(
    "/config-schemas",
    response={200: ConfigKindList, **_ERRORS},
    url_name="config-schema-list",
    operation_id="config_schema_list",
    summary="List the kinds of config files",
)
def list_kinds(request: HttpRequest) -> Any:
    """Every kind with the address of its JSON Schema."""
    items = [
        {
            "kind": kind,
            "title": kind.label,
            "folder": kind.folder,
            "schema_url": reverse("api:config-schema", args=[kind.value]),
        }
        for kind in ConfigKind
    ]
    return {"items": items, "total": len(items)}


@router.get(
    "/config-schemas/{kind}",
    response={200: dict[str, Any], **_ERRORS},
    url_name="config-schema",
    operation_id="config_schema",
    summary="Get the JSON Schema of one kind",
)
def get_schema(request: HttpRequest, kind: ConfigKind) -> Any:
    """A schema of draft 2020-12; facts that JSON Schema has no word for are below `x-wilmer`."""
    return build_schema(kind)
