from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from tests.workflows_app.builders import write_workflow
from workflows_app.configs.kinds import ConfigKind

URL = "/api/v1/config-problems"
NODE = {"type": "Standard", "title": "A", "endpointName": "Gone", "preset": "plain"}


def test_problems_have_code_place_and_advice(opened: Path, reader: Client) -> None:
    write_workflow(opened, "Main", NODE)

    body = reader.get(URL, {"path": "Workflows/ann/Main.json"}).json()

    [item] = body["items"]
    assert (item["code"], item["severity"], item["at"]) == ("endpoint-missing", "error", "/0/endpointName")
    assert (body["total"], body["by_severity"]) == (1, {"error": 1})


@pytest.mark.parametrize(
    ("asked", "found"),
    [({"severity": "error"}, True), ({"severity": "hint"}, False), ({"kind": "user"}, False), ({"text": "Gone"}, True)],
)
def test_problems_are_filtered(opened: Path, reader: Client, asked: dict[str, str], found: bool) -> None:
    write_workflow(opened, "Main", NODE)

    items = reader.get(URL, asked).json()["items"]

    assert ("endpoint-missing" in {item["code"] for item in items}) is found


@pytest.mark.parametrize(("asked", "status"), [({"severity": "bad"}, 422), ({"user": "nobody"}, 404)])
def test_unknown_conditions_are_refused(opened: Path, reader: Client, asked: dict[str, str], status: int) -> None:
    assert reader.get(URL, asked).status_code == status


def test_every_kind_has_a_schema(opened: Path, reader: Client) -> None:
    items = reader.get("/api/v1/config-schemas").json()["items"]

    assert [item["kind"] for item in items] == list(ConfigKind)
    assert {reader.get(item["schema_url"]).status_code for item in items} == {200}


def test_unknown_kind_is_refused(opened: Path, reader: Client) -> None:
    assert reader.get("/api/v1/config-schemas/nothing").status_code == 422


@pytest.mark.parametrize("path", ["Endpoints/none.json", "../x.json", "x"])
@pytest.mark.parametrize("url", [URL, "/api/v1/config-references"])
def test_file_that_is_not_there_is_not_found(opened: Path, reader: Client, url: str, path: str) -> None:
    write_workflow(opened, "Main", NODE)

    assert reader.get(url, {"path": path}).status_code == 404
    assert reader.get("/api/v1/config-references", {"path": "Endpoints/Gone.json"}).json()["total"] == 1
