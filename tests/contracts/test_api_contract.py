"""What every operation of the API promises, whichever app it belongs to."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from wilmer_site.api import api

DOCS = Path(__file__).resolve().parents[2] / "docs" / "api.md"
SCHEMA: dict[str, Any] = api.get_openapi_schema()
OPERATIONS = [
    pytest.param(path, method, facts, id=f"{method} {path}")
    for path, methods in SCHEMA["paths"].items()
    for method, facts in methods.items()
]
each = pytest.mark.parametrize(("path", "method", "facts"), OPERATIONS)


@each
def test_operation_is_named_and_described(path: str, method: str, facts: dict[str, Any]) -> None:
    assert facts["tags"]
    assert facts["summary"]
    assert facts["description"].endswith(".")


@each
def test_operation_documents_its_errors_in_the_one_shape(path: str, method: str, facts: dict[str, Any]) -> None:
    shapes = {int(status): answer for status, answer in facts["responses"].items() if int(status) >= 400}

    assert set(shapes) >= {401, 403, 422}
    assert ({404} <= set(shapes)) or "{" not in path
    for answer in shapes.values():
        assert answer["content"]["application/json"]["schema"]["$ref"].endswith("/ErrorOut")


@each
def test_operation_needs_a_sign_in(path: str, method: str, facts: dict[str, Any]) -> None:
    assert facts["security"]


@each
def test_operation_is_told_of_in_the_docs(path: str, method: str, facts: dict[str, Any]) -> None:
    told = DOCS.read_text("utf-8")

    assert f"`{method.upper()} {path.removeprefix('/api/v1')}" in told


def test_docs_tell_of_no_operation_that_is_not_there() -> None:
    told = re.findall(r"`(GET|POST|PUT|PATCH|DELETE) (/[^`?]*)", DOCS.read_text("utf-8"))

    assert [(m, p) for m, p in told if m.lower() not in SCHEMA["paths"].get(f"/api/v1{p}", {})] == []


def test_every_url_name_resolves_to_its_path() -> None:
    samples = {"ref": "anna", "number": 1, "memory_id": 1, "artefact": "memories"}
    routes = {
        pattern.name: str(pattern.pattern) for pattern in api.urls[0] if str(pattern.pattern).startswith(("d", "s"))
    }

    for name, route in routes.items():
        names = re.findall(r"<(?:\w+:)?(\w+)>", route)
        if set(names) <= set(samples):
            assert reverse(f"api:{name}", kwargs={key: samples[key] for key in names}).startswith("/api/v1/")


def test_operation_ids_are_unique() -> None:
    ids = [facts["operationId"] for methods in SCHEMA["paths"].values() for facts in methods.values()]

    assert len(ids) == len(set(ids))


def test_reads_offer_a_304() -> None:
    for path, methods in SCHEMA["paths"].items():
        if "get" in methods and path.startswith("/api/v1/discussions"):
            assert "304" in {str(status) for status in methods["get"]["responses"]}
