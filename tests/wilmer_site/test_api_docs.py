from __future__ import annotations

from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.test import Client

from wilmer_site.api_docs import build_reference

SCHEMA: dict[str, Any] = {
    "info": {"title": "T", "version": "1", "description": "D"},
    "paths": {
        "/b": {
            "post": {
                "operationId": "b",
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}},
                "responses": {200: {"content": {"application/json": {"schema": {"type": "array", "items": {}}}}}},
                "parameters": [
                    {"name": "q", "in": "query", "schema": {"anyOf": [{"type": "string"}, {"type": "null"}]}}
                ],
            }
        },
        "/a": {"get": {"operationId": "a", "tags": ["first"], "responses": {204: {}}}, "x-note": {}},
    },
    "components": {"schemas": {"Thing": {"required": ["n"], "properties": {"n": {"enum": ["x", "y"]}}}}},
}


def test_build_reference_groups_by_tag_and_names_types() -> None:
    page = build_reference(SCHEMA, openapi_url="/o", host="http://h")

    (first, (a,)), (other, (b,)) = page.groups
    assert (first, a.method, a.answers) == ("first", "GET", (("204", ""),))
    assert (other, b.body, b.parameters[0].kind, b.answers) == ("other", "Thing", "string or null", (("200", " list"),))
    assert page.schemas[0][1][0].kind == "x | y"


def test_build_reference_writes_curl_that_can_be_pasted() -> None:
    page = build_reference(SCHEMA, openapi_url="/o", host="http://h")

    curl = page.groups[1][1][0].curl
    expected = """curl -H "Authorization: Bearer $TOKEN" -X POST -H 'Content-Type: application/json' -d @body.json http://h/b"""
    assert curl == expected


def test_reference_page_lists_operations_without_another_host(signed_in: Client) -> None:
    response = signed_in.get("/api/docs", follow=True)

    page = BeautifulSoup(response.content, "html.parser")
    assert page.select_one("h1").text == "API reference"  # type: ignore[union-attr]
    assert not page.select("script[src^=http], link[href^=http]")


@pytest.mark.django_db
def test_reference_page_sends_strangers_to_the_sign_in(client: Client) -> None:
    assert client.get("/api/v1/docs")["Location"] == "/sign-in/?next=/api/v1/docs"
