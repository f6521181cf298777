"""The API reference as a page of ours: server-rendered from the OpenAPI document, without a script or another host."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from ninja import NinjaAPI
from ninja.openapi.docs import DocsBase

_METHODS = ("get", "post", "put", "patch", "delete")
_Facts = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One thing an operation takes."""

    name: str
    place: str
    kind: str
    is_required: bool
    help: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One method at one path."""

    id: str
    tag: str
    method: str
    path: str
    summary: str
    description: str
    parameters: tuple[Parameter, ...]
    body: str
    """Name of the schema of the request body, empty when there is none."""
    answers: tuple[tuple[str, str], ...]
    """Status and name of the schema."""
    curl: str


@dataclass(frozen=True, slots=True)
class ReferenceContext:
    """The whole reference."""

    title: str
    version: str
    description: str
    openapi_url: str
    groups: tuple[tuple[str, tuple[Operation, ...]], ...]
    schemas: tuple[tuple[str, tuple[Parameter, ...]], ...]


class ReferencePage(DocsBase):
    """Renders the reference for ninja's docs URL."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        """The page."""
        context = build_reference(
            api.get_openapi_schema(),
            openapi_url=self.get_openapi_url(api, kwargs),
            host=request.build_absolute_uri("/").rstrip("/"),
        )
        return render(request, "wilmer_site/api_reference.html", {"page": context})


def build_reference(schema: _Facts, *, openapi_url: str, host: str) -> ReferenceContext:
    """What the page shows of an OpenAPI document; `host` stands in the curl lines."""
    operations = sorted(_operations(schema, host), key=lambda operation: operation.tag)
    groups = groupby(operations, key=lambda operation: operation.tag)
    components = schema.get("components", {}).get("schemas", {})
    info = schema["info"]
    return ReferenceContext(
        title=info["title"],
        version=info["version"],
        description=info["description"],
        openapi_url=openapi_url,
        groups=tuple((tag, tuple(found)) for tag, found in groups),
        schemas=tuple((name, tuple(_fields(facts))) for name, facts in sorted(components.items())),
    )


def _operations(schema: _Facts, host: str) -> Iterator[Operation]:
    for path, methods in schema["paths"].items():
        for method, facts in methods.items():
            if method in _METHODS:
                yield _operation(path, method.upper(), facts, host)


def _operation(path: str, method: str, facts: _Facts, host: str) -> Operation:
    body = _schema_name(_content(facts.get("requestBody", {})))
    return Operation(
        id=facts["operationId"],
        tag=next(iter(facts.get("tags", ())), "other"),
        method=method,
        path=path,
        summary=facts.get("summary", ""),
        description=facts.get("description", ""),
        parameters=tuple(_parameter(found) for found in facts.get("parameters", ())),
        body=body,
        answers=tuple((str(status), _schema_name(_content(found))) for status, found in facts["responses"].items()),
        curl=_curl(host + path, method, has_body=bool(body)),
    )


def _parameter(facts: _Facts) -> Parameter:
    kind = _schema_name(facts["schema"])
    told = facts.get("description") or facts["schema"].get("description", "")
    return Parameter(facts["name"], facts["in"], kind, facts.get("required", False), told)


def _fields(facts: _Facts) -> Iterator[Parameter]:
    required = facts.get("required", ())
    for name, field in facts.get("properties", {}).items():
        yield Parameter(name, "field", _schema_name(field), name in required, field.get("description", ""))


def _content(facts: _Facts) -> _Facts:
    """The schema of a body, whatever its content type."""
    kinds: list[_Facts] = list(facts.get("content", {}).values())
    schema: _Facts = kinds[0].get("schema", {}) if kinds else {}
    return schema


def _schema_name(schema: _Facts) -> str:
    """A short name of a type: `string`, `Chunk`, `Chunk list`, `integer or null`."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(_schema_name(part) for part in schema["anyOf"])
    if schema.get("type") == "array":
        return f"{_schema_name(schema.get('items', {}))} list"
    if "enum" in schema:
        return " | ".join(str(value) for value in schema["enum"])
    return str(schema.get("type", ""))


def _curl(url: str, method: str, *, has_body: bool) -> str:
    parts = ["curl", "-H", "Authorization: Bearer $TOKEN"]
    if method != "GET":
        parts += ["-X", method]
    if has_body:
        parts += ["-H", "Content-Type: application/json", "-d", "@body.json"]
    return " ".join('"' + part + '"' if "$" in part else shlex.quote(part) for part in [*parts, url])
